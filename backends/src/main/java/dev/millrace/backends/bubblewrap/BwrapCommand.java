package dev.millrace.backends.bubblewrap;

import dev.millrace.backends.port.SandboxSpec;
import dev.millrace.backends.sandbox.ShellText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The bubblewrap command line of a sandbox. */
final class BwrapCommand {
    private static final int SHM_BYTES = 8 << 20;
    private static final String EXTRA_BIN = "/opt/bin";
    private static final String PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:" + EXTRA_BIN;
    private static final List<String> SYSTEM_LINKS =
            List.of("bin", "sbin", "lib", "lib32", "lib64");

    private BwrapCommand() {}

    /**
     * As shell text. The whole file tree is one memory disk of the asked size; only {@code /usr} is
     * the host's, read-only. {@code passwd} and {@code group} come from descriptors 5 and 6; what
     * became of it goes to descriptor 7; the filter of system calls comes from descriptor 8.
     *
     * @param controlShell absolute path of the shell that takes requests
     * @param filtered whether there is a filter of system calls
     */
    static String of(SandboxSpec spec, String controlShell, boolean filtered) {
        long bytes = (long) spec.limits().diskMb() << 20;
        List<String> root = List.of("--size", Long.toString(bytes), "--tmpfs", "/");
        return on(root, spec, controlShell, filtered);
    }

    /**
     * The same with a layer below the memory disk.
     *
     * @param layer what lies below, as an overlay wants it
     */
    static String on(String layer, SandboxSpec spec, String controlShell, boolean filtered) {
        List<String> root = List.of("--bind", LayeredCommand.ROOT, "/");
        long bytes = (long) spec.limits().diskMb() << 20;
        return LayeredCommand.of(layer, bytes, on(root, spec, controlShell, filtered));
    }

    private static String on(
            List<String> root, SandboxSpec spec, String controlShell, boolean filtered) {
        SandboxUser user = SandboxUser.of(spec.user()).orElseThrow();
        String uid = Integer.toString(user.uid());
        List<String> words = new ArrayList<>(namespaces(false));
        words.addAll(List.of("--uid", uid, "--gid", uid, "--setenv", "PATH", PATH));
        words.addAll(List.of("--setenv", "HOME", user.home(), "--setenv", "LC_ALL", "C.UTF-8"));
        words.addAll(root);
        words.addAll(List.of("--ro-bind", "/usr", "/usr"));
        for (String name : SYSTEM_LINKS) {
            Path host = Path.of("/", name);
            if (Files.isSymbolicLink(host)) {
                words.addAll(List.of("--symlink", "usr/" + name, "/" + name));
            } else if (Files.isDirectory(host)) {
                words.addAll(List.of("--ro-bind", "/" + name, "/" + name));
            }
        }
        words.addAll(List.of("--ro-bind-try", "/etc/alternatives", "/etc/alternatives"));
        words.addAll(List.of("--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"));
        words.addAll(List.of("--file", "5", "/etc/passwd", "--file", "6", "/etc/group"));
        if (!Files.exists(Path.of("/usr/bin/python"))) {
            // Images of Python have it under this name, distributions do not.
            words.addAll(List.of("--symlink", "/usr/bin/python3", EXTRA_BIN + "/python"));
        }
        words.addAll(devices());
        words.addAll(
                List.of("--dir", user.home(), "--dir", spec.workdir(), "--chdir", spec.workdir()));
        return text(words, controlShell, filtered);
    }

    /** Begins every sandbox: what it shares with the host, and that it has no rights there. */
    static List<String> namespaces(boolean network) {
        List<String> words = new ArrayList<>(List.of("bwrap", "--unshare-user"));
        words.addAll(List.of("--unshare-pid", "--unshare-ipc", "--unshare-uts"));
        if (!network) {
            words.add("--unshare-net");
        }
        words.addAll(List.of("--unshare-cgroup-try", "--disable-userns"));
        words.addAll(List.of("--hostname", "sandbox", "--die-with-parent"));
        words.addAll(List.of("--new-session", "--cap-drop", "ALL", "--clearenv"));
        return words;
    }

    /** What the kernel shows, and places for passing files. */
    static List<String> devices() {
        List<String> words = new ArrayList<>(List.of("--proc", "/proc", "--dev", "/dev"));
        words.addAll(List.of("--size", Integer.toString(SHM_BYTES), "--tmpfs", "/dev/shm"));
        words.addAll(List.of("--remount-ro", "/dev", "--perms", "1777", "--dir", "/tmp"));
        return words;
    }

    /** Ends every sandbox's command line, and makes it shell text. */
    static String text(List<String> words, String controlShell, boolean filtered) {
        List<String> all = new ArrayList<>(words);
        if (filtered) {
            all.addAll(List.of("--seccomp", "8"));
        }
        all.addAll(List.of("--json-status-fd", "7", "--", controlShell));
        return all.stream().map(ShellText::quote).collect(Collectors.joining(" "));
    }
}
