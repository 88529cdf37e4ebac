package dev.millrace.backends.modal;

import java.util.List;

/** Settings that differ from others in one respect. */
final class Variants {
    private Variants() {}

    static ModalSettings startMillis(ModalSettings from, long millis) {
        ModalTimes t = from.times();
        return with(
                from,
                from.layers(),
                from.createsPerSecond(),
                from.mostSandboxes(),
                new ModalTimes(
                        t.requestMillis(),
                        millis,
                        t.pollMillis(),
                        t.imageMillis(),
                        t.throttleMillis(),
                        t.retryMillis(),
                        t.killGraceMillis(),
                        t.lifetimeMillis()));
    }

    static ModalSettings layers(ModalSettings from, List<String> layers) {
        return with(from, layers, from.createsPerSecond(), from.mostSandboxes(), from.times());
    }

    static ModalSettings creations(ModalSettings from, double perSecond, int most) {
        return with(from, from.layers(), perSecond, most, from.times());
    }

    private static ModalSettings with(
            ModalSettings from, List<String> layers, double perSecond, int most, ModalTimes times) {
        return new ModalSettings(
                from.server(),
                from.app(),
                from.environment(),
                from.image(),
                layers,
                from.builderVersion(),
                from.user(),
                from.shell(),
                perSecond,
                most,
                from.hardOutputBytes(),
                times);
    }
}
