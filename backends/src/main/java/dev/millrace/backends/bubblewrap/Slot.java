package dev.millrace.backends.bubblewrap;

import dev.millrace.backends.sandbox.KernelFiles;
import dev.millrace.backends.sandbox.ShellText;
import dev.millrace.backends.sandbox.Watchdog;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A place for one sandbox after another: a host id, control groups, a pair of named pipes and a
 * launcher, which is a shell outside that has entered the groups and dropped all rights, so that
 * starting a sandbox costs one fork. The launcher reads only what this class writes; a sandbox
 * talks over the named pipes, which are opened anew for each.
 */
final class Slot {
    private static final String SETPRIV = "exec setpriv --no-new-privs --pdeathsig KILL ";

    final Cgroup cgroup;
    final int uid;
    private final Path folder;
    private final Process launcher;
    private final OutputStream orders;
    private final BufferedReader reports;
    private SandboxUser known;
    private List<Long> watched = List.of();
    private int count;

    private Slot(Path folder, int uid, Cgroup cgroup, Process launcher) {
        this.uid = uid;
        this.folder = folder;
        this.cgroup = cgroup;
        this.launcher = launcher;
        orders = launcher.getOutputStream();
        reports =
                new BufferedReader(
                        new InputStreamReader(launcher.getInputStream(), StandardCharsets.UTF_8));
    }

    /** The two ends of a started sandbox. */
    record Pipes(FileChannel requests, FileChannel answers) {}

    /**
     * Makes a slot.
     *
     * @param uid host id to drop to; 0 when this process has nothing to drop
     */
    static Slot make(Path folder, int uid, Cgroup cgroup, LaunchThread launch, Watchdog watchdog)
            throws IOException {
        Files.createDirectories(folder);
        StringBuilder script = new StringBuilder();
        for (Path entrance : cgroup.entrances()) {
            script.append("echo $$ > ").append(ShellText.quote(entrance.toString()));
            script.append(" || exit 70\n");
        }
        script.append(SETPRIV);
        if (uid != 0) {
            Files.setAttribute(folder, "unix:uid", uid);
            Files.setAttribute(folder, "unix:gid", uid);
            script.append("--reuid=" + uid + " --regid=" + uid + " --clear-groups ");
        }
        script.append("/bin/sh");
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", script.toString());
        builder.directory(folder.toFile()).redirectErrorStream(true).environment().clear();
        builder.environment().put("PATH", "/usr/bin:/bin:/usr/sbin:/sbin");
        Slot slot = new Slot(folder, uid, cgroup, launch.start(builder));
        try (Watchdog.Guard guard = watchdog.arm(10_000, slot::killLauncher)) {
            slot.order("unset PWD OLDPWD; umask 077; mkfifo in out && echo ready\n");
            String answer = slot.reports.readLine();
            if (!"ready".equals(answer)) {
                throw new IOException("the launcher of a sandbox did not start: " + answer);
            }
        } catch (IOException e) {
            slot.discard();
            throw e;
        }
        return slot;
    }

    /**
     * Starts a sandbox. Blocks until the launcher has opened both pipes; {@link #killLauncher} and
     * {@link #releaseOpeners} from another thread end the wait.
     *
     * @param filter name of the pool's file with the filter of system calls
     * @param user whom the sandbox's {@code passwd} knows, where it has not an image's
     */
    Pipes start(String bwrap, String filter, SandboxUser user) throws IOException {
        count++;
        if (!user.equals(known)) {
            Files.writeString(folder.resolve("passwd"), user.passwd());
            Files.writeString(folder.resolve("group"), user.group());
            known = user;
        }
        order(
                "{ "
                        + bwrap
                        + "; } <in >out 2>&1 5<passwd 6<group 7>status 8<../"
                        + filter
                        + "; echo ended "
                        + count
                        + "\n");
        FileChannel requests = FileChannel.open(folder.resolve("in"), StandardOpenOption.WRITE);
        try {
            return new Pipes(
                    requests, FileChannel.open(folder.resolve("out"), StandardOpenOption.READ));
        } catch (IOException e) {
            requests.close();
            throw e;
        }
    }

    /** Ends a wait in {@link #start} after the launcher is dead. */
    void releaseOpeners() {
        openForBoth("in");
        openForBoth("out");
    }

    /** Never blocks, and pairs up with whoever waits for the other end. */
    private void openForBoth(String name) {
        try {
            FileChannel.open(
                            folder.resolve(name), StandardOpenOption.READ, StandardOpenOption.WRITE)
                    .close();
        } catch (IOException noSuchPipe) {
            killLauncher();
        }
    }

    /** Waits for the launcher's word that the sandbox ended; false when the launcher is dead. */
    boolean awaitEnd() {
        try {
            String line;
            while ((line = reports.readLine()) != null) {
                if (line.equals("ended " + count)) {
                    return true;
                }
            }
            return false;
        } catch (IOException closed) {
            return false;
        }
    }

    /**
     * Whether what ran inside ended by itself or by a hand from inside: then the sandbox's process
     * 1 has reported an exit code. It can't when someone outside killed it.
     */
    boolean endReported() {
        try {
            return KernelFiles.read(folder.resolve("status")).contains("exit-code");
        } catch (IOException noReport) {
            return false;
        }
    }

    /** The control shell inside, as the host sees it: process 2 of its namespace. */
    Optional<ProcessHandle> controlShell() {
        return firstProcesses()
                .flatMap(ProcessHandle::children)
                .filter(process -> isProcessTwo(process.pid()))
                .findFirst();
    }

    /**
     * The process outside that waits for the sandbox; its mounts are those the sandbox is made of.
     */
    Optional<ProcessHandle> monitor() {
        return launcher.children().findFirst();
    }

    /** Process 1 of the sandbox's namespace. */
    private Stream<ProcessHandle> firstProcesses() {
        return launcher.children().flatMap(ProcessHandle::children);
    }

    /**
     * To be called before the end, so that {@link #sweep} can see it where no control group lists
     * what is left: once process 1 is dead, the kernel has ended all others.
     */
    void watchEnd() {
        if (cgroup.entrances().isEmpty()) {
            watched = firstProcesses().map(ProcessHandle::pid).toList();
        }
    }

    /** A process that only waits to be collected by its parent has ended. */
    static boolean runs(long pid) {
        try {
            String stat = KernelFiles.read(Path.of("/proc", Long.toString(pid), "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException gone) {
            return false;
        }
    }

    private static boolean isProcessTwo(long pid) {
        try {
            return KernelFiles.lines(Path.of("/proc", Long.toString(pid), "status")).stream()
                    .anyMatch(line -> line.startsWith("NSpid:") && line.endsWith("\t2"));
        } catch (IOException gone) {
            return false;
        }
    }

    /** Kills the launcher; the kernel then kills the sandbox with it. */
    void killLauncher() {
        launcher.destroyForcibly();
    }

    boolean launcherAlive() {
        return launcher.isAlive();
    }

    /** Whether nothing but the launcher is left of the sandbox; kills what is. */
    boolean sweep(long millis) {
        long deadline = System.nanoTime() + millis * 1_000_000;
        while (true) {
            List<Long> left = new ArrayList<>(cgroup.processes());
            left.remove(launcher.pid());
            watched.stream().filter(Slot::runs).forEach(left::add);
            if (left.isEmpty()) {
                return true;
            }
            if (System.nanoTime() > deadline) {
                return false;
            }
            left.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }

    /** Ends the slot and removes its files and control groups. */
    boolean discard() {
        launcher.destroyForcibly();
        boolean interrupted = Thread.interrupted();
        boolean gone = awaitExit() && sweep(5_000);
        for (int i = 0; gone && i < 200 && !cgroup.remove(); i++) {
            gone = sweep(50);
        }
        FileTrees.remove(folder);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return gone && cgroup.remove();
    }

    private boolean awaitExit() {
        try {
            return launcher.waitFor(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void order(String text) throws IOException {
        orders.write(text.getBytes(StandardCharsets.UTF_8));
        orders.flush();
    }
}
