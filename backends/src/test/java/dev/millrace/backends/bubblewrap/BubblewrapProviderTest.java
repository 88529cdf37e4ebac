package dev.millrace.backends.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.IsolationContract;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxLimits;
import dev.millrace.backends.port.SandboxProvider;
import dev.millrace.backends.port.SandboxSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class BubblewrapProviderTest extends IsolationContract {
    @TempDir Path scratch;

    @Override
    protected SandboxProvider newProvider() {
        return new BubblewrapProvider(scratch);
    }

    @Override
    protected List<String> leftovers() {
        List<String> found = new ArrayList<>();
        String mine = "millrace-" + ProcessHandle.current().pid() + "-";
        for (Path folder : List.of(scratch, Path.of("/sys/fs/cgroup"))) {
            try (Stream<Path> paths = Files.walk(folder, 4)) {
                paths.map(Path::toString).filter(path -> path.contains(mine)).forEach(found::add);
            } catch (IOException | UncheckedIOException e) {
                found.add(e.toString());
            }
        }
        ProcessHandle.current().children().map(ProcessHandle::toString).forEach(found::add);
        return found;
    }

    @Test
    void saysWhatItEnforces() throws Exception {
        assertThat(provider.probe().enforced())
                .contains("network: none")
                .anyMatch(line -> line.contains("seccomp"));
    }

    @Test
    void theKernelRefusesWhatNoTaskNeedsAndServesTheRest() throws Exception {
        String script =
                """
                import ctypes, os, socket, subprocess, threading
                libc = ctypes.CDLL(None, use_errno=True)
                x86 = os.uname().machine == 'x86_64'
                def call(name, number, *arguments):
                    done = libc.syscall(number, *arguments)
                    print(name, 'done' if done >= 0 else os.strerror(ctypes.get_errno()))
                call('unshare', 272 if x86 else 97, 0)
                call('keyctl', 250 if x86 else 219, 0, -3, 0)
                call('bpf', 321 if x86 else 280, 0, 0, 0)
                call('ring', 425, 1, 0)
                call('trace', 101 if x86 else 117, 0, 0, 0, 0)
                call('clone3', 435, 0, 0)
                threads = []
                thread = threading.Thread(target=lambda: threads.append(1))
                thread.start(); thread.join()
                print(threads, subprocess.run(['true']).returncode, socket.if_nameindex()[0][1])
                """;
        try (Sandbox sandbox = sandbox()) {
            ExecRequest request =
                    new ExecRequest(
                            "e", "python3 -c \"$CODE\"", "", Map.of("CODE", script), 30_000, 9_999);
            String refused = "Operation not permitted\n";
            assertThat(text(sandbox.exec(request)))
                    .isEqualTo(
                            String.join(
                                            refused,
                                            "unshare ",
                                            "keyctl ",
                                            "bpf ",
                                            "ring ",
                                            "trace ",
                                            "")
                                    + "clone3 Function not implemented\n[1] 0 lo\n");
        }
    }

    @Test
    void runsCommandsInBashWhenToldTo() throws Exception {
        BubblewrapSettings settings = BubblewrapSettings.in(scratch, BubblewrapSettings.Shell.BASH);
        try (BubblewrapProvider bash = new BubblewrapProvider(settings)) {
            SandboxSpec spec = new SandboxSpec("b", "o", "", "/app", Map.of(), SandboxLimits.SMALL);
            try (Sandbox sandbox = bash.create(spec)) {
                assertThat(text(run(sandbox, "[[ a == a ]] && echo ${BASH_VERSION:0:1}; kill 0")))
                        .isEqualTo("5\n");
                assertThat(text(run(sandbox, "trap 'echo int' INT; kill -INT $$; echo done")))
                        .isEqualTo("int\ndone\n");
            }
        }
    }

    @Test
    @Timeout(300)
    void twoGigabytesOfOutputCostNoMemory() throws Exception {
        BubblewrapSettings usual = BubblewrapSettings.in(scratch, BubblewrapSettings.Shell.SH);
        long twoGigabytes = 2L << 30;
        BubblewrapSettings patient =
                new BubblewrapSettings(
                        usual.scratch(),
                        usual.shell(),
                        usual.firstUid(),
                        usual.createTimeoutMillis(),
                        usual.killGraceMillis(),
                        2 * twoGigabytes,
                        false,
                        PreparationGrant.NONE);
        try (BubblewrapProvider wide = new BubblewrapProvider(patient);
                HeapWatch heap = new HeapWatch()) {
            SandboxSpec spec = new SandboxSpec("b", "o", "", "/app", Map.of(), SandboxLimits.SMALL);
            try (Sandbox sandbox = wide.create(spec)) {
                ExecRequest request =
                        new ExecRequest(
                                "e",
                                "head -c " + twoGigabytes + " /dev/zero",
                                "",
                                Map.of(),
                                280_000,
                                65_536);
                ExecResult result = sandbox.exec(request);
                assertThat(result.totalOutputBytes()).isEqualTo(twoGigabytes);
                assertThat(result.exitCode()).isZero();
                assertThat(result.output()).hasSize(65_536);
                assertThat(heap.growth()).isLessThan(64L << 20);
            }
        }
    }

    /** Looks at the heap again and again. */
    private static final class HeapWatch implements AutoCloseable {
        private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
        private final long before = live();
        private volatile long most = before;

        HeapWatch() {
            Future<?> unused =
                    timer.scheduleWithFixedDelay(
                            () -> most = Math.max(most, live()), 100, 100, TimeUnit.MILLISECONDS);
        }

        private static long live() {
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            return runtime.totalMemory() - runtime.freeMemory();
        }

        long growth() {
            return most - before;
        }

        @Override
        public void close() {
            timer.shutdownNow();
        }
    }

    @Test
    void aSandboxThatSomeoneKillsOnTheHostIsNotThePolicysFault() throws Exception {
        Sandbox sandbox = sandbox();
        assertThat(text(run(sandbox, "ls /proc/2/fd"))).doesNotContain("7");
        CompletableFuture<SandboxException> running =
                CompletableFuture.supplyAsync(
                        () ->
                                catchThrowableOfType(
                                        SandboxException.class, () -> run(sandbox, "sleep 56")));
        await().until(() -> sandbox.executedIds().size() == 2);
        List<ProcessHandle> own =
                ProcessHandle.current()
                        .descendants()
                        .filter(p -> p.info().command().orElse("").endsWith("/bwrap"))
                        .toList();
        assertThat(own).isNotEmpty();
        own.forEach(ProcessHandle::destroyForcibly);
        SandboxException died = running.get();
        assertThat(died.kind()).isEqualTo(SandboxException.Kind.DIED);
        assertThat(died.policyCaused()).isFalse();
        assertThat(text(run(sandbox(), "echo next"))).isEqualTo("next\n");
    }

    @Test
    void refusesAWorkingFolderInTheSystem() {
        SandboxSpec spec =
                new SandboxSpec("b", "o", "", "/usr/local", Map.of(), SandboxLimits.SMALL);
        assertThatThrownBy(() -> provider.create(spec))
                .isInstanceOf(SandboxException.class)
                .hasMessageContaining("/usr/local");
    }

    @Test
    void diesWithItsProcessAndTheNextOneClearsUp() throws Exception {
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Stray.class.getName(),
                        scratch.toString());
        Process stray = new ProcessBuilder(command).redirectErrorStream(true).start();
        String last = "";
        try (var lines = stray.inputReader()) {
            while (last != null && !last.equals("running")) {
                last = lines.readLine();
            }
            assertThat(last).isEqualTo("running");
            assertThat(sleepers()).isEqualTo(1);
            stray.destroyForcibly();
            assertThat(stray.waitFor(10, TimeUnit.SECONDS)).isTrue();
        }
        await().until(() -> sleepers() == 0);
        try (SandboxProvider next = newProvider()) {
            next.probe();
        }
        try (Stream<Path> left = Files.list(scratch)) {
            String gone = "millrace-" + stray.pid() + "-";
            assertThat(left.map(Path::toString)).noneMatch(path -> path.contains(gone));
        }
    }

    private static long sleepers() {
        return ProcessHandle.allProcesses()
                .filter(
                        process ->
                                process.info()
                                        .arguments()
                                        .map(a -> List.of(a).contains("765432"))
                                        .orElse(false))
                .count();
    }

    /** A process that leaves a sandbox running. */
    static final class Stray {
        private Stray() {}

        public static void main(String[] args) throws Exception {
            BubblewrapProvider provider = new BubblewrapProvider(Path.of(args[0]));
            SandboxSpec spec =
                    new SandboxSpec("s", "o", "", "/workspace", Map.of(), SandboxLimits.SMALL);
            Sandbox sandbox = provider.create(spec);
            sandbox.exec(command("(setsid sleep 765432 &)", 5000));
            System.out.println("running");
            sandbox.exec(command("sleep 600", 600_000));
        }
    }
}
