package dev.millrace.backends.modal;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A container as the real service has them, as far as one machine can stand in: root inside, in
 * namespaces of its own, on a memory disk, without a network. Needs root and bubblewrap.
 */
final class ServedContainer {
    private static final Pattern CHILD = Pattern.compile("\"child-pid\": ([0-9]+)");
    private static final String MAP = "0 200000 65536";
    private static final long ADDRESS_SPACE = 700_000_000;

    /** Whatever its clients do, this machine goes on. */
    private static final int PROCESSES = 200;

    private static final long END_SECONDS = 10;

    private final Process holder;
    private final Process keeper;
    private final long inside;
    private final Map<String, ServedCommand> commands = new ConcurrentHashMap<>();
    private boolean stopped;

    ServedContainer(List<String> entrypoint, int diskMb) throws IOException {
        holder = start(List.of("unshare", "--user", "sleep", "86400"));
        String pid = Long.toString(holder.pid());
        awaitOwnNamespace(pid);
        Files.writeString(Path.of("/proc", pid, "uid_map"), MAP);
        Files.writeString(Path.of("/proc", pid, "gid_map"), MAP);
        List<String> words = new ArrayList<>(List.of("nsenter", "-t", pid, "-U", "--"));
        words.addAll(List.of("sh", "-c"));
        words.add("echo 0 >/proc/sys/user/max_user_namespaces; exec \"$@\"");
        words.addAll(List.of("sh", "bwrap", "--unshare-pid", "--unshare-net", "--unshare-ipc"));
        words.addAll(List.of("--unshare-uts", "--die-with-parent", "--new-session", "--clearenv"));
        words.addAll(List.of("--setenv", "PATH", "/usr/bin:/bin"));
        words.addAll(List.of("--size", Long.toString((long) diskMb << 20), "--tmpfs", "/"));
        words.addAll(List.of("--ro-bind", "/usr", "/usr"));
        for (String name : List.of("bin", "lib", "lib64", "sbin")) {
            words.addAll(List.of("--symlink", "usr/" + name, "/" + name));
        }
        words.addAll(List.of("--proc", "/proc", "--dev", "/dev", "--dir", "/etc"));
        words.addAll(List.of("--size", "1048576", "--tmpfs", "/dev/shm"));
        words.addAll(List.of("--perms", "1777", "--dir", "/tmp", "--json-status-fd", "1", "--"));
        words.addAll(entrypoint);
        keeper = start(words);
        inside = childPid();
        awaitItsOwnTree();
    }

    /** Its first process is known before its file tree is there; what is run in it comes after. */
    private void awaitItsOwnTree() {
        while (keeper.isAlive()
                && ProcessHandle.of(inside)
                        .flatMap(first -> first.children().findAny())
                        .isEmpty()) {
            Thread.onSpinWait();
        }
    }

    /** Its first process has ended when all others have, and the keeper ends by itself after it. */
    private void awaitItsEnd() {
        try {
            keeper.waitFor(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Process start(List<String> words) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.directory(Path.of("/").toFile());
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        return builder.start();
    }

    private static void awaitOwnNamespace(String pid) throws IOException {
        Path ours = Files.readSymbolicLink(Path.of("/proc/self/ns/user"));
        Path theirs = Path.of("/proc", pid, "ns", "user");
        while (Files.readSymbolicLink(theirs).equals(ours)) {
            Thread.onSpinWait();
        }
    }

    private long childPid() throws IOException {
        BufferedReader status =
                new BufferedReader(
                        new InputStreamReader(keeper.getInputStream(), StandardCharsets.UTF_8));
        String line = status.readLine();
        Matcher found = CHILD.matcher(line == null ? "" : line);
        if (!found.find()) {
            throw new IOException("no container: " + line);
        }
        return Long.parseLong(found.group(1));
    }

    /** Starts a command once, however often it is asked for. */
    void start(String id, List<String> arguments, Map<String, String> environment)
            throws IOException {
        synchronized (commands) {
            if (!commands.containsKey(id)) {
                commands.put(id, new ServedCommand(inside(arguments, environment)));
            }
        }
    }

    private Process inside(List<String> arguments, Map<String, String> environment)
            throws IOException {
        List<String> words = new ArrayList<>(List.of("nsenter", "-t", Long.toString(inside)));
        words.addAll(List.of("-U", "-m", "-p", "-n", "-i", "-u", "-r", "-w", "--"));
        words.addAll(List.of("prlimit", "--as=" + ADDRESS_SPACE, "--nproc=" + PROCESSES));
        words.addAll(List.of("env", "-i", "PATH=/usr/bin:/bin"));
        environment.forEach((name, value) -> words.add(name + "=" + value));
        words.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.directory(Path.of("/").toFile());
        return builder.start();
    }

    /** The one of that id, or null. */
    ServedCommand command(String id) {
        return commands.get(id);
    }

    boolean isAlive() {
        return keeper.isAlive();
    }

    /** Ends everything inside, and waits for it. */
    synchronized void stop() {
        if (stopped) {
            return;
        }
        stopped = true;
        if (keeper.isAlive()) {
            ProcessHandle.of(inside).ifPresent(ProcessHandle::destroyForcibly);
            awaitItsEnd();
        }
        ServedCommand.end(keeper);
        ServedCommand.end(holder);
        synchronized (commands) {
            commands.values().forEach(ServedCommand::close);
        }
        try {
            keeper.getInputStream().close();
            holder.getInputStream().close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
