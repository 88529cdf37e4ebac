package dev.millrace.backends.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.millrace.backends.port.SandboxException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad behaviour that every provider has to contain. */
public abstract class HostileContract extends SandboxProviderContract {

    /** A variable that is set in this process and must not be seen inside. */
    private static final String SECRET = "fake-secret-of-the-host-7d1f";

    /** What this provider still has running or lying on the host, in words. */
    protected abstract List<String> leftovers();

    @Test
    void hasNoNetwork() throws Exception {
        try (Sandbox sandbox = sandbox()) {
            String tries =
                    "import socket\n"
                            + "for f, t, a in [(2, 1, ('10.0.0.1', 53)), (2, 2, ('1.1.1.1', 53)),"
                            + " (10, 1, ('2606:4700::1', 80))]:\n"
                            + "  try:\n"
                            + "    s = socket.socket(f, t); s.settimeout(3); s.connect(a);"
                            + " print('reached', a)\n"
                            + "  except OSError as e: print(e.errno)\n"
                            + "s = socket.create_server(('127.0.0.1', 0))\n"
                            + "socket.create_connection(s.getsockname()); print('local')\n";
            ExecResult result = run(sandbox, "python3 -c \"" + tries + "\"");
            assertThat(text(result)).isEqualTo("101\n101\n101\nlocal\n");
        }
    }

    @Test
    void showsNothingOfTheHost() throws Exception {
        assertThat(System.getenv("MILLRACE_TEST_SECRET")).isEqualTo(SECRET);
        try (Sandbox sandbox = sandbox()) {
            ExecResult result =
                    run(
                            sandbox,
                            "env; cat /proc/*/environ /proc/*/cmdline; ls -a / /home /root /var"
                                + " /run /sys /etc; cat /etc/shadow; ls /proc | grep -c '^[0-9]'");
            assertThat(text(result))
                    .contains("COLOUR=")
                    .doesNotContain(SECRET, "JAVA_HOME", "root:", System.getProperty("user.dir"));
            long processes =
                    Long.parseLong(
                            text(run(sandbox, "ls -d /proc/[0-9]* 2>/dev/null | wc -l")).trim());
            assertThat(processes).isLessThan(10);
        }
    }

    @Test
    void givesNoPrivileges() throws Exception {
        try (Sandbox sandbox = sandbox()) {
            assertThat(text(run(sandbox, "grep -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status")))
                    .contains("CapEff:\t0000000000000000")
                    .contains("NoNewPrivs:\t1");
            assertThat(text(run(sandbox, "id -u"))).isNotEqualTo("0\n");
            for (String attempt :
                    List.of(
                            "unshare -Ur true",
                            "mount -t tmpfs none /tmp",
                            "mknod /tmp/disk b 8 0",
                            "chroot / true",
                            "touch /usr/bin/planted",
                            "touch /etc/ld.so.cache",
                            "echo x > /proc/sys/kernel/core_pattern",
                            "mount -o remount,rw /usr",
                            "umount /proc",
                            "hostname other")) {
                assertThat(run(sandbox, attempt).exitCode()).as(attempt).isNotZero();
            }
        }
    }

    @Test
    void containsAForkBomb() throws Exception {
        try (Sandbox sandbox = sandbox()) {
            // Without another process: there may be no room for one any more.
            ExecResult result = sandbox.exec(command("f() { f | f & }; f; exec sleep 60", 1500));
            assertThat(result.timedOut()).isTrue();
            await().until(
                            () ->
                                    text(run(sandbox, "ls -d /proc/[0-9]* | wc -l"))
                                            .matches("[1-9]\n"));
        }
        try (Sandbox next = sandbox()) {
            assertThat(text(run(next, "echo fine"))).isEqualTo("fine\n");
        }
    }

    @Test
    void containsAFullDisk() throws Exception {
        try (Sandbox sandbox = sandbox()) {
            for (String folder : List.of("/workspace", "/tmp", "/dev/shm", "/")) {
                String fill = "head -c 1000000000 /dev/zero > " + folder + "/big";
                assertThat(run(sandbox, fill).exitCode()).as(folder).isNotZero();
            }
            run(sandbox, "rm -f /workspace/big /tmp/big /big");
            run(sandbox, "for i in $(seq 100); do head -c 1000000 /dev/zero > f$i || break; done");
            long kilobytes = Long.parseLong(text(run(sandbox, "du -sk . | cut -f1")).trim());
            assertThat(kilobytes).isLessThanOrEqualTo(SandboxLimits.SMALL.diskMb() * 1024L);
            run(sandbox, "rm -f f*; truncate -s 1T sparse");
            run(sandbox, "for i in $(seq 20000); do : > e$i || break; done");
            assertThat(text(run(sandbox, "echo alive"))).isEqualTo("alive\n");
        }
    }

    @Test
    void killsWhatTakesTooMuchMemory() throws Exception {
        try (Sandbox sandbox = sandbox()) {
            ExecResult result = run(sandbox, "python3 -c 'bytearray(900000000)'; echo then");
            assertThat(text(result)).contains("then");
            assertThat(result.oomKilled() || text(result).contains("MemoryError")).isTrue();
            assertThat(text(run(sandbox, "echo alive"))).isEqualTo("alive\n");
        }
    }

    @Test
    void killsTheWholeTreeAtTheDeadlineAndKeepsWhatWasWritten() throws Exception {
        try (Sandbox sandbox = sandbox()) {
            ExecResult result =
                    sandbox.exec(
                            command(
                                    "trap '' TERM INT HUP; echo partial; (setsid sleep 432 &);"
                                            + " while :; do :; done",
                                    700));
            assertThat(result.timedOut()).isTrue();
            assertThat(result.exitCode()).isEqualTo(124);
            assertThat(text(result)).isEqualTo("partial\n");
            assertThat(result.limitThatFired()).contains("700 ms");
            assertThat(text(run(sandbox, "pgrep -x -r D,R,S,T sleep || echo none")))
                    .isEqualTo("none\n");
        }
    }

    @Test
    void aHundredLinesBeforeTheDeadlineAreKept() throws Exception {
        try (Sandbox sandbox = sandbox()) {
            ExecResult result = sandbox.exec(command("seq 1 100; sleep 600", 1500));
            assertThat(result.timedOut()).isTrue();
            assertThat(text(result).lines()).hasSize(100).startsWith("1").endsWith("100");
        }
    }

    @Test
    void doesNotWaitForBackgroundProcesses() throws Exception {
        try (Sandbox sandbox = sandbox()) {
            long start = System.nanoTime();
            ExecResult result =
                    run(sandbox, "sleep 600 & (setsid nohup sleep 600 &); echo started; exit 0");
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isLessThan(Duration.ofSeconds(20));
            assertThat(text(result)).isEqualTo("started\n");
        }
    }

    @Test
    void endsACommandThatWritesWithoutEnd() throws Exception {
        try (Sandbox sandbox = sandbox()) {
            ExecResult result = run(sandbox, "cat /dev/zero");
            assertThat(result.output()).hasSizeLessThanOrEqualTo(20_000);
            assertThat(result.totalOutputBytes()).isGreaterThan(60_000_000);
            assertThat(result.exitCode()).isEqualTo(137);
            assertThat(result.limitThatFired()).contains("output");
            assertThat(text(run(sandbox, "echo alive"))).isEqualTo("alive\n");
        }
    }

    @Test
    void keepsBytesThatAreNoText() throws Exception {
        try (Sandbox sandbox = sandbox()) {
            ExecResult result = run(sandbox, "printf '\\377\\000\\001B\\001E\\002\\300'");
            assertThat(result.output()).containsExactly(0xff, 0, 1, 'B', 1, 'E', 2, 0xc0);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kill -9 -1",
                "kill -9 2",
                "kill -STOP 2; sleep 60",
                "exec 9>/proc/2/fd/0; cat /proc/2/fd/0 >/dev/null"
            })
    void namesThePolicyWhenASandboxIsEndedFromInside(String attack) throws Exception {
        try (Sandbox sandbox = sandbox()) {
            try {
                sandbox.exec(command(attack, 500));
                sandbox.exec(command("sleep 5", 500));
                run(sandbox, "echo survived");
            } catch (SandboxException e) {
                assertThat(e.kind()).isEqualTo(Kind.DIED);
                assertThat(e.policyCaused()).isTrue();
            }
        }
        assertThat(text(run(sandbox(), "echo next"))).isEqualTo("next\n");
    }

    @Test
    void endsARunningCommandWhenKilledFromOutside() throws Exception {
        Sandbox sandbox = sandbox();
        CompletableFuture<SandboxException> running =
                CompletableFuture.supplyAsync(
                        () ->
                                catchThrowableOfType(
                                        SandboxException.class, () -> run(sandbox, "sleep 55")));
        await().until(() -> sandbox.executedIds().size() == 1);
        sandbox.kill();
        assertThat(running.get().kind()).isEqualTo(Kind.DIED);
        assertThat(running.get().policyCaused()).isFalse();
    }

    @Test
    void leavesNothingBehind() throws Exception {
        for (int i = 0; i < 5; i++) {
            try (Sandbox sandbox = sandbox()) {
                run(sandbox, "(setsid nohup sleep 987654 >/dev/null 2>&1 &); echo x > y");
                await().until(() -> hostProcesses("sleep 987654") == 1);
            }
            assertThat(hostProcesses("sleep 987654")).isZero();
        }
        provider.close();
        assertThat(leftovers()).isEmpty();
    }

    @Test
    @Timeout(600)
    void survivesCancellationAtAnyPoint() throws Exception {
        Random random = new Random(7);
        String mounts = IsolationContract.mounts();
        long pipes = IsolationContract.openPipes();
        for (int i = 0; i < 200; i++) {
            FutureTask<SandboxException> attempt = new FutureTask<>(this::playUntilCancelled);
            Thread worker = new Thread(attempt);
            worker.start();
            worker.join(1 + random.nextInt(40));
            worker.interrupt();
            assertThat(attempt.get().kind()).isEqualTo(Kind.CANCELLED);
        }
        assertThat(text(run(sandbox(), "echo fine"))).isEqualTo("fine\n");
        provider.close();
        assertThat(hostProcesses("sleep 876543")).isZero();
        assertThat(leftovers()).isEmpty();
        assertThat(IsolationContract.mounts()).isEqualTo(mounts);
        assertThat(IsolationContract.openPipes()).as("open pipes").isLessThanOrEqualTo(pipes);
    }

    private SandboxException playUntilCancelled() {
        return catchThrowableOfType(
                SandboxException.class,
                () -> {
                    try (Sandbox sandbox = sandbox()) {
                        SandboxFile file = new SandboxFile("f", new byte[30_000], false);
                        sandbox.putFiles("/workspace", List.of(file));
                        run(sandbox, "echo x");
                        sandbox.getFiles("/workspace", 100_000);
                        run(sandbox, "sleep 876543");
                    }
                });
    }

    private static long hostProcesses(String commandLine) throws IOException {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return processes.filter(process -> commandLineOf(process).equals(commandLine)).count();
        }
    }

    private static String commandLineOf(Path process) {
        try {
            return Files.readString(process.resolve("cmdline")).replace('\0', ' ').strip();
        } catch (IOException notAProcess) {
            return "";
        }
    }
}
