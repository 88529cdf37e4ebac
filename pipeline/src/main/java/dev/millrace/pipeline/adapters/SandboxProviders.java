package dev.millrace.pipeline.adapters;

import dev.millrace.backends.bubblewrap.BubblewrapProvider;
import dev.millrace.backends.bubblewrap.BubblewrapSettings;
import dev.millrace.backends.docker.DockerProvider;
import dev.millrace.backends.modal.ModalProvider;
import dev.millrace.backends.port.SandboxProvider;
import dev.millrace.pipeline.settings.SandboxSettings;
import java.nio.file.Path;

/** The provider of sandboxes that a recipe asks for. */
public final class SandboxProviders {
    private SandboxProviders() {}

    /**
     * A fresh one, which the caller closes.
     *
     * @param scratch private folder for short-lived files, where the provider needs one
     */
    public static SandboxProvider open(SandboxSettings settings, Path scratch) {
        return open(settings, scratch, BubblewrapSettings.Shell.SH);
    }

    /**
     * The same.
     *
     * @param shell what runs commands in bubblewrap
     */
    public static SandboxProvider open(
            SandboxSettings settings, Path scratch, BubblewrapSettings.Shell shell) {
        return switch (settings.provider()) {
            case BUBBLEWRAP ->
                    new BubblewrapProvider(
                            BubblewrapSettings.in(scratch, shell)
                                    .granting(settings.preparation().granted()));
            case DOCKER -> new DockerProvider(settings.docker().provider());
            case MODAL -> new ModalProvider(settings.modal().provider(), System.getenv());
        };
    }
}
