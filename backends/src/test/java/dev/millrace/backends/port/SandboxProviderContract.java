package dev.millrace.backends.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.backends.port.SandboxException.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What every provider of sandboxes has to do. The bad behaviour is in {@link HostileContract}. */
public abstract class SandboxProviderContract extends LeaseContract {
    protected static SandboxSpec spec(String owner) {
        String lease = newLease();
        Map<String, String> environment = Map.of("COLOUR", "deep 'blue'\nsea");
        return new SandboxSpec(lease, owner, "", "/workspace", environment, SandboxLimits.SMALL);
    }

    protected final Sandbox sandbox() throws SandboxException {
        return provider.create(spec("owner"));
    }

    protected static ExecRequest command(String text, long timeoutMillis) {
        return new ExecRequest("effect", text, "", Map.of(), timeoutMillis, 20_000);
    }

    protected static ExecResult run(Sandbox sandbox, String text) throws SandboxException {
        return sandbox.exec(command(text, 20_000));
    }

    protected static String text(ExecResult result) {
        return new String(result.output(), StandardCharsets.UTF_8);
    }

    @Test
    void givesOutputAndExitCodeOfACommand() throws Exception {
        try (Sandbox sandbox = sandbox()) {
            ExecResult result = run(sandbox, "echo out; echo err >&2; pwd; exit 7");
            assertThat(text(result)).isEqualTo("out\nerr\n/workspace\n");
            assertThat(result.exitCode()).isEqualTo(7);
            assertThat(result.timedOut()).isFalse();
            assertThat(result.limitThatFired()).isEmpty();
            assertThat(result.totalOutputBytes()).isEqualTo(19);
        }
    }

    /** Pagers, editors and questions have nobody to wait for. */
    @Test
    void commandsHaveNoTerminalAndNothingToRead() throws Exception {
        try (Sandbox sandbox = sandbox()) {
            String ask = "for fd in 0 1 2; do test -t $fd && echo $fd; done; read line || echo no";
            assertThat(text(run(sandbox, ask))).isEqualTo("no\n");
        }
    }

    @Test
    void keepsFilesButNoShellStateBetweenCommands() throws Exception {
        try (Sandbox sandbox = sandbox()) {
            run(sandbox, "cd /tmp; X=1; export X; echo kept > /workspace/file");
            assertThat(text(run(sandbox, "pwd; echo \"[$X]\"; cat file")))
                    .isEqualTo("/workspace\n[]\nkept\n");
        }
    }

    @Test
    void passesEnvironmentAndWorkdirThrough() throws Exception {
        try (Sandbox sandbox = sandbox()) {
            ExecRequest request =
                    new ExecRequest(
                            "e",
                            "echo \"$COLOUR|$SIZE\"; pwd",
                            "/tmp",
                            Map.of("SIZE", "ä $x"),
                            5000,
                            99);
            assertThat(text(sandbox.exec(request))).isEqualTo("deep 'blue'\nsea|ä $x\n/tmp\n");
        }
    }

    @Test
    void reportsASyntaxErrorAsTheCommandsOwn() throws Exception {
        try (Sandbox sandbox = sandbox()) {
            assertThat(run(sandbox, "if then (").exitCode()).isNotZero();
            assertThat(run(sandbox, "echo 'open quote").exitCode()).isNotZero();
            assertThat(text(run(sandbox, "echo fine"))).isEqualTo("fine\n");
        }
    }

    @Test
    void recordsTheIdsOfExecutedCommands() throws Exception {
        try (Sandbox sandbox = sandbox()) {
            sandbox.exec(new ExecRequest("first", "true", "", Map.of(), 5000, 10));
            sandbox.exec(new ExecRequest("second", "false", "", Map.of(), 5000, 10));
            assertThat(sandbox.executedIds()).containsExactly("first", "second");
        }
    }

    @Test
    void carriesFilesByteForByte() throws Exception {
        byte[] all = new byte[256];
        for (int i = 0; i < 256; i++) {
            all[i] = (byte) i;
        }
        byte[] large = new byte[300_000];
        new Random(1).nextBytes(large);
        String longName = "deep/" + "n".repeat(120) + "/it's a %s file\n.txt";
        byte[] dashes = "--- a %d\n".getBytes(StandardCharsets.UTF_8);
        List<SandboxFile> small =
                List.of(
                        new SandboxFile("all", all, false),
                        new SandboxFile("dashes", dashes, true));
        List<SandboxFile> files =
                List.of(
                        new SandboxFile(longName, all, false),
                        new SandboxFile("empty", new byte[0], false),
                        new SandboxFile("large", large, false),
                        new SandboxFile(
                                "run.sh",
                                "#!/bin/sh\necho ran\n".getBytes(StandardCharsets.UTF_8),
                                true));
        try (Sandbox sandbox = sandbox()) {
            sandbox.putFiles("/data/small", small);
            sandbox.putFiles("/data", files);
            List<SandboxFile> expected = new ArrayList<>(files);
            expected.add(new SandboxFile("small/all", all, false));
            expected.add(new SandboxFile("small/dashes", dashes, true));
            assertThat(sandbox.getFiles("/data", 1 << 20))
                    .usingRecursiveComparison()
                    .withEqualsForType(Arrays::equals, byte[].class)
                    .isEqualTo(expected);
            assertThat(text(run(sandbox, "/data/run.sh"))).isEqualTo("ran\n");
        }
    }

    @Test
    void readsNoLinksPipesOrMissingFolders() throws Exception {
        try (Sandbox sandbox = sandbox()) {
            run(
                    sandbox,
                    "mkdir d; ln -s /etc/passwd d/link; ln -s /usr d/folder; mkfifo d/pipe; echo x"
                            + " > d/file; ln d/file d/hard; ln -s d dirlink");
            assertThat(sandbox.getFiles("/workspace/d", 1000))
                    .extracting(SandboxFile::path)
                    .containsExactly("file", "hard");
            assertThat(sandbox.getFiles("/workspace/dirlink", 1000)).isEmpty();
            assertThat(sandbox.getFiles("/absent", 1000)).isEmpty();
        }
    }

    @Test
    void refusesToReadMoreThanAskedFor() throws Exception {
        try (Sandbox sandbox = sandbox()) {
            run(sandbox, "head -c 2000 /dev/zero > a; head -c 2000 /dev/zero > b");
            assertThat(sandbox.getFiles("/workspace", 4000)).hasSize(2);
            SandboxException refused =
                    catchThrowableOfType(
                            SandboxException.class, () -> sandbox.getFiles("/workspace", 3999));
            assertThat(refused.kind()).isEqualTo(Kind.QUOTA);
            assertThat(refused.policyCaused()).as("whoever made them too large").isTrue();
            run(sandbox, "rm a b; head -c 31000000 /dev/zero > huge");
            assertThatThrownBy(() -> sandbox.getFiles("/workspace", 1000))
                    .isInstanceOf(SandboxException.class);
        }
    }

    @Test
    void keepsHeadAndTailOfLongOutputAndCountsAll() throws Exception {
        try (Sandbox sandbox = sandbox()) {
            ExecRequest request = new ExecRequest("e", "seq 1 100000", "", Map.of(), 20_000, 20);
            ExecResult result = sandbox.exec(request);
            assertThat(text(result)).isEqualTo("1\n2\n3\n4\n5\n99\n100000\n");
            assertThat(result.totalOutputBytes()).isEqualTo(588_895);
        }
    }

    @Test
    void aSandboxThatIsReplacedIsGone() throws Exception {
        SandboxSpec spec = spec("owner");
        Sandbox first = provider.create(spec);
        assertThat(provider.attach(spec.lease())).isPresent();
        Lease newer = new Lease(spec.leaseName(), "owner", 1, 0);
        Sandbox second =
                provider.create(
                        new SandboxSpec(newer, "", "/workspace", Map.of(), SandboxLimits.SMALL));
        assertThatThrownBy(() -> run(first, "true")).isInstanceOf(SandboxException.class);
        second.close();
        second.close();
        assertThat(provider.attach(newer)).isEmpty();
    }

    @Test
    void reapsByOwner() throws Exception {
        SandboxSpec mine = spec("mine");
        provider.create(mine);
        provider.create(spec("mine"));
        Sandbox other = provider.create(spec("other"));
        assertThat(provider.reap("mine")).isEqualTo(2);
        assertThat(provider.attach(mine.lease())).isEmpty();
        assertThat(text(run(other, "echo alive"))).isEqualTo("alive\n");
    }

    @Test
    void startsEverySandboxClean() throws Exception {
        try (Sandbox first = sandbox()) {
            run(first, "echo x > left; echo y > /tmp/left; (setsid sleep 500 &)");
        }
        try (Sandbox second = sandbox()) {
            assertThat(text(run(second, "ls -A /workspace /tmp; pgrep sleep; true")))
                    .isEqualTo("/tmp:\n\n/workspace:\n");
        }
    }

    @Test
    void refusesAnImageItCanNotServe() {
        SandboxSpec image =
                new SandboxSpec(
                        "i", "o", "no/such:image", "/workspace", Map.of(), SandboxLimits.SMALL);
        assertThatThrownBy(() -> provider.create(image)).isInstanceOf(SandboxException.class);
    }
}
