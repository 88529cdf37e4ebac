package dev.millrace.backends.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What hostile code must not reach, and what it must not be able to hide. */
public abstract class IsolationContract extends HostileContract {
    private static final List<String> HOST_PATHS =
            List.of(
                    "/etc/shadow",
                    "/etc/sudoers",
                    "/etc/machine-id",
                    "/root/.bashrc",
                    "/var/lib",
                    "/run/docker.sock",
                    "/var/run/docker.sock",
                    "/sys/kernel",
                    "/boot",
                    "/lost+found",
                    "/proc/1/root/etc/shadow",
                    "/proc/1/cwd/etc/shadow");

    @Test
    void reachesNoServiceOfTheHostAndFailsAtOnce() throws Exception {
        try (ServerSocket service = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Sandbox sandbox = sandbox()) {
            String script =
                    "import socket, time\n"
                        + "start = time.monotonic()\n"
                        + "def tried(name, f):\n"
                        + "  try: f(); print(name, 'reached')\n"
                        + "  except OSError: pass\n"
                        + "def udp6(): socket.socket(10, 2).sendto(b'x', ('2606:4700::1', 53))\n"
                        + "def raw(): socket.socket(2, 3, 1).sendto(b'x', ('1.1.1.1', 0))\n"
                        + "def packet(): socket.socket(17, 3)\n"
                        + "def to(host, port): return lambda: socket.create_connection((host,"
                        + " port), 5)\n"
                        + "tried('host', to('127.0.0.1', "
                            + service.getLocalPort()
                            + "))\n"
                            + "tried('metadata', to('169.254.169.254', 80))\n"
                            + "tried('dns', lambda: socket.getaddrinfo('example.com', 80))\n"
                            + "tried('udp6', udp6)\n"
                            + "tried('icmp', raw)\n"
                            + "tried('packet', packet)\n"
                            + "names = [l.split()[-1] for l in open('/proc/net/unix') if '@' in"
                            + " l]\n"
                            + "print(names, time.monotonic() - start < 5)\n";
            ExecRequest request =
                    new ExecRequest(
                            "e", "python3 -c \"$CODE\"", "", Map.of("CODE", script), 30_000, 9_999);
            assertThat(text(sandbox.exec(request))).isEqualTo("[] True\n");
        }
    }

    /** Paths of the host that a sandbox has too, with content of its image or of the kernel. */
    protected Set<String> ownOfTheImage() {
        return Set.of();
    }

    @Test
    void seesNoFileOfTheHost() throws Exception {
        Path outside = Files.createTempFile("host-file", ".txt");
        try (Sandbox sandbox = sandbox()) {
            List<String> paths = new ArrayList<>(HOST_PATHS);
            paths.removeAll(ownOfTheImage());
            paths.add(outside.toString());
            String absent =
                    "for f in "
                            + String.join(" ", paths)
                            + "; do [ -r $f ] &&"
                            + " echo $f; done; cat /proc/1/maps 2>/dev/null | grep -v -e /usr -e"
                            + " '\\[' | grep -o '/[^ ]*' ; true";
            assertThat(text(run(sandbox, absent))).isEmpty();
        } finally {
            Files.delete(outside);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kill -9 1; kill -STOP 1; kill -SEGV 1",
                "rm -rf /bin /lib /lib64 /usr /etc /dev /proc 2>/dev/null; cd /; rm -rf * .[a-z]*",
                "chmod -R 000 / 2>/dev/null; chmod 000 /workspace /tmp",
                "mv /workspace /gone; ln -s /etc /workspace",
                "python3 -c \"import ctypes; c = ctypes.CDLL(None); [c.ptrace(16, p, 0, 0) for p in"
                        + " (1, 2)]\"; sleep 5"
            })
    void whatItDoesToItsOwnTreeHurtsNobodyElse(String attack) throws Exception {
        String mounts = mounts();
        try (Sandbox sandbox = sandbox()) {
            try {
                sandbox.exec(command(attack, 1_500));
                sandbox.exec(command("echo x > /workspace/x; echo after", 1_500));
            } catch (SandboxException e) {
                assertThat(e.kind()).isEqualTo(SandboxException.Kind.DIED);
                assertThat(e.policyCaused()).as(e.getMessage()).isTrue();
            }
        }
        assertThat(mounts()).isEqualTo(mounts);
        try (Sandbox next = sandbox()) {
            assertThat(text(run(next, "ls /usr >/dev/null && echo x > x && cat x")))
                    .isEqualTo("x\n");
        }
    }

    @Test
    void idsOfExecutedCommandsAreOutOfReach() throws Exception {
        String id = "effect-id-6c1d0f";
        Sandbox sandbox = sandbox();
        sandbox.exec(new ExecRequest(id, "true", "", Map.of(), 5_000, 10));
        String look =
                "grep -rls '[e]ffect-id-6c1d0f' /proc/*/environ /proc/*/cmdline /etc"
                        + " /home /tmp /workspace /dev/shm /opt /run 2>/dev/null; true";
        assertThat(text(run(sandbox, look))).isEmpty();
        // It ends the sandbox where it reaches the process that everything else hangs on.
        Throwable death =
                catchThrowable(
                        () -> {
                            sandbox.exec(
                                    new ExecRequest("last", "kill -9 -1", "", Map.of(), 5_000, 10));
                            run(sandbox, "true");
                        });
        if (death != null) {
            assertThat(death).isInstanceOf(SandboxException.class);
        }
        assertThat(sandbox.executedIds()).startsWith(id, "effect", "last");
        sandbox.close();
    }

    @Test
    void namesTheLimitThatFiredAndItsValue() throws Exception {
        SandboxLimits limits = SandboxLimits.SMALL;
        try (Sandbox sandbox = sandbox()) {
            assertThat(sandbox.exec(command("sleep 60", 600)).limitThatFired())
                    .isEqualTo("command timeout 600 ms");
            assertThat(run(sandbox, "cat /dev/zero").limitThatFired())
                    .matches("command output \\d+ bytes");
            ExecResult hog = run(sandbox, "python3 -c 'bytearray(900000000)'");
            assertThat(hog.exitCode()).isNotZero();
            assertThat(hog.limitThatFired())
                    .isEqualTo(hog.oomKilled() ? "memory " + limits.memoryMb() + " MiB" : "");
            assertThat(run(sandbox, "exit 137"))
                    .as("a command's own code is no limit")
                    .returns("", ExecResult::limitThatFired)
                    .returns(false, ExecResult::timedOut)
                    .returns(false, ExecResult::oomKilled);
            assertThat(run(sandbox, "exit 124").timedOut()).isFalse();
        }
    }

    @Test
    @Timeout(180)
    void aMillionEmptyFilesEndWithTheirSandbox() throws Exception {
        try (Sandbox sandbox = sandbox()) {
            String fill =
                    "python3 -c \"import os\nfor i in range(1000000): os.close(os.open('f%d' % i,"
                            + " 65))\"";
            ExecResult result = sandbox.exec(command(fill, 20_000));
            assertThat(result.wallMillis()).isLessThan(30_000);
        }
        assertThat(text(run(sandbox(), "echo next"))).isEqualTo("next\n");
    }

    /** Mount points of this process, as the kernel lists them. */
    protected static String mounts() {
        try {
            return Files.readString(Path.of("/proc/self/mounts"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Pipes that this process has open. */
    protected static long openPipes() {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.filter(IsolationContract::isPipe).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isPipe(Path descriptor) {
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            return List.of("pipe:", "fifo:").stream().anyMatch(target::startsWith)
                    || target.endsWith("/in")
                    || target.endsWith("/out");
        } catch (IOException closed) {
            return false;
        }
    }
}
