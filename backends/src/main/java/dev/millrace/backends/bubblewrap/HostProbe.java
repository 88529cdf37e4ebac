package dev.millrace.backends.bubblewrap;

import dev.millrace.backends.port.SandboxCapabilities;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.sandbox.KernelFiles;
import dev.millrace.backends.sandbox.OwnerStamp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What this host has for sandboxes, and what to do when it lacks something. */
final class HostProbe {
    private static final Pattern VERSION = Pattern.compile("bubblewrap (\\d+)\\.(\\d+)");
    static final int MOST_SLOTS = 4096;

    private HostProbe() {}

    /** Finds the programs and checks bubblewrap's version. */
    static void requirePrograms(LaunchThread launch, boolean bash) throws SandboxException {
        require("bwrap", "bubblewrap");
        require("setpriv", "util-linux");
        require("tar", "tar");
        if (bash) {
            require("bash", "bash");
        }
        String text = output(launch, "bwrap", "--version");
        Matcher version = VERSION.matcher(text);
        int minor = version.find() ? Integer.parseInt(version.group(2)) : -1;
        if (minor < 0 || (Integer.parseInt(version.group(1)) == 0 && minor < 8)) {
            throw unsupported(
                    "bubblewrap 0.8 or newer is needed, found '"
                            + text.strip()
                            + "': install a newer bubblewrap");
        }
    }

    private static void require(String program, String debianPackage) throws SandboxException {
        if (find(program).isEmpty()) {
            throw unsupported(
                    program
                            + " is not installed: apt-get install "
                            + debianPackage
                            + " (or your distribution's package of that name)");
        }
    }

    private static Optional<Path> find(String program) {
        return List.of("/usr/bin", "/bin", "/usr/sbin", "/sbin").stream()
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The smallest shell there is. */
    static String controlShell() {
        return Files.isExecutable(Path.of("/bin/dash")) ? "/bin/dash" : "/bin/sh";
    }

    private static String output(LaunchThread launch, String... command) throws SandboxException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/bin:/bin:/usr/sbin:/sbin");
        try {
            Process process = launch.start(builder);
            process.getOutputStream().close();
            return new String(process.getInputStream().readNBytes(10_000), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new SandboxException(
                    Kind.UNSUPPORTED, false, "can't run " + command[0] + ": " + e.getMessage(), e);
        }
    }

    /**
     * First host id for sandboxes: 0 when this process is not root and has nothing to drop.
     *
     * @throws SandboxException when it is root without any other id to use
     */
    static int firstUid(int wanted) throws SandboxException {
        try {
            if (!Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
                return 0;
            }
            long most = 0;
            for (String line : KernelFiles.lines(Path.of("/proc/self/uid_map"))) {
                String[] fields = line.trim().split("\\s+", 3);
                most = Math.max(most, Long.parseLong(fields[0]) + Long.parseLong(fields[2].trim()));
            }
            int own = wanted + OwnerStamp.block() * MOST_SLOTS;
            if (own + MOST_SLOTS <= most) {
                return own;
            }
            if (wanted + MOST_SLOTS <= most) {
                return wanted;
            }
            if (most > 2L * MOST_SLOTS) {
                return (int) most - 2 * MOST_SLOTS;
            }
        } catch (IOException e) {
            throw new SandboxException(
                    Kind.UNSUPPORTED, false, "can't read user ids: " + e.getMessage(), e);
        }
        throw unsupported(
                "this process is root in a user namespace without other ids, and a sandbox must"
                        + " not run as root: start it as an ordinary user");
    }

    /** What bubblewrap said when it failed, with the remedy. */
    static SandboxException explain(String message) {
        String remedy = "";
        if (message.contains("uid map") || message.contains("amespace")) {
            remedy =
                    ": user namespaces are closed to ordinary users; as root: sysctl -w"
                            + " kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000"
                            + " kernel.apparmor_restrict_unprivileged_userns=0 (those that exist);"
                            + " in Docker: --security-opt seccomp=unconfined";
        } else if (message.contains("proc")) {
            remedy =
                    ": /proc of this container is masked; in Docker: --security-opt"
                            + " systempaths=unconfined";
        }
        return unsupported("a sandbox can't be started, '" + message + "'" + remedy);
    }

    static SandboxCapabilities capabilities(
            CgroupTree tree, boolean ownUid, boolean filtered, boolean sharing) {
        List<String> enforced = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        enforced.add("file tree: own, /usr read-only");
        enforced.add("network: none");
        enforced.add("privileges: none, no nested user namespaces");
        enforced.add("disk: memory disk of fixed size");
        enforced.add("host user: " + (ownUid ? "one unprivileged id per sandbox" : "the caller's"));
        String version = tree.version();
        if (tree.has("pids")) {
            enforced.add("pids: " + version);
        } else {
            enforced.add("pids: RLIMIT_NPROC in the user namespace");
        }
        if (tree.has("memory")) {
            enforced.add("memory: " + version);
        } else {
            missing.add("memory of all processes together: address space of each one is limited");
            missing.add("number of empty files: nothing stands in for it");
        }
        if (tree.has("cpu")) {
            enforced.add("cpu: " + version);
        } else {
            missing.add("cpu share: nothing stands in for it");
        }
        if (filtered) {
            enforced.add("system calls: seccomp filter; the kernel is shared");
        } else {
            missing.add("system calls: no seccomp filter for this kind of processor");
        }
        if (!sharing) {
            missing.add("shared file trees: overlays are not to be had, each sandbox has a copy");
        }
        return new SandboxCapabilities(
                SandboxCapabilities.Attach.SAME_PROCESS, List.copyOf(enforced), missing);
    }

    static SandboxException unsupported(String message) {
        return new SandboxException(Kind.UNSUPPORTED, message);
    }
}
