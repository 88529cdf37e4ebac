package dev.millrace.backends.bubblewrap;

import dev.millrace.backends.bubblewrap.Layers.Layer;
import dev.millrace.backends.image.ImageConfig;
import dev.millrace.backends.port.SandboxSpec;
import java.util.ArrayList;
import java.util.List;

/** The bubblewrap command line of a sandbox whose file tree is an image's. */
final class ImageCommand {
    private static final String SHELL = "/bin/sh";
    private static final String PATH =
            "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    private static final List<String> NAMES = List.of("/etc/resolv.conf", "/etc/hosts");

    private ImageCommand() {}

    /**
     * As shell text, see {@link BwrapCommand#of}. Nothing of the host is to be seen, except for
     * what preparation is granted.
     */
    static String of(
            Layer layer,
            ImageConfig config,
            Account account,
            SandboxSpec spec,
            PreparationGrant granted,
            boolean filtered) {
        boolean network = spec.preparing() && granted.network();
        List<String> words = new ArrayList<>(BwrapCommand.namespaces(network));
        words.addAll(List.of("--uid", Integer.toString(account.uid())));
        words.addAll(List.of("--gid", Integer.toString(account.gid())));
        words.addAll(List.of("--setenv", "PATH", PATH, "--setenv", "HOME", account.home()));
        config.environment()
                .forEach((name, value) -> words.addAll(List.of("--setenv", name, value)));
        words.addAll(List.of("--bind", LayeredCommand.ROOT, "/"));
        words.addAll(BwrapCommand.devices());
        if (spec.preparing()) {
            List<String> shown = new ArrayList<>(network ? NAMES : List.of());
            shown.addAll(granted.files());
            shown.forEach(path -> words.addAll(List.of("--ro-bind-try", path, path)));
        }
        words.addAll(List.of("--dir", spec.workdir(), "--chdir", spec.workdir()));
        long bytes = (long) spec.limits().diskMb() << 20;
        String bwrap = BwrapCommand.text(words, SHELL, filtered);
        return LayeredCommand.of(layer.lower(), bytes, bwrap);
    }
}
