package dev.millrace.backends.harbor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SharedEnvironmentsTest extends VerifierFixture {
    private static final String RANDOM = "RUN head -c 8 /dev/urandom | od -An -tx1 > made.txt\n";

    @BeforeEach
    void requireSharing() throws SandboxException {
        assumeTrue(provider.sharesTrees(), "this host can't share file trees");
    }

    @Test
    void aPlanWithCommandsIsCarriedOutOnceForAllWhoAskAtOnce() throws Exception {
        HarborTask task = with(RANDOM);
        TaskSandbox sandboxes = new TaskSandbox(provider);
        ExecutorService attempts = Executors.newFixedThreadPool(8);
        try {
            List<Future<String>> made = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                String lease = "attempt-" + i;
                made.add(attempts.submit(() -> said(sandboxes, task, lease, "cat made.txt")));
            }
            Set<String> different = new HashSet<>();
            for (Future<String> each : made) {
                different.add(each.get());
            }
            assertThat(different).hasSize(1);
            assertThat(different.iterator().next()).isNotBlank();
        } finally {
            attempts.shutdownNow();
        }
    }

    @Test
    void oneSandboxSeesNothingOfAnother() throws Exception {
        HarborTask task = with(RANDOM);
        TaskSandbox sandboxes = new TaskSandbox(provider);
        said(sandboxes, task, "first", "echo spoilt > made.txt; echo spoilt > sign.txt");
        said(sandboxes, task, "second", "echo spoilt > made.txt; rm sign.txt; mkdir sign.txt");
        assertThat(said(sandboxes, task, "third", "cat sign.txt made.txt; echo $COLOUR"))
                .startsWith("minus\n")
                .endsWith("blue\n")
                .doesNotContain("spoilt");
    }

    @Test
    void anotherFileMakesAnotherEnvironment() throws Exception {
        TaskSandbox sandboxes = new TaskSandbox(provider);
        assertThat(said(sandboxes, with("RUN cat sign.txt > copy.txt\n"), "a", "cat copy.txt"))
                .isEqualTo("minus\n");
        HarborTask other =
                loader.load(
                        withRun("RUN cat sign.txt > copy.txt\n")
                                .with("environment/sign.txt", "times\n")
                                .path);
        assertThat(said(sandboxes, other, "b", "cat copy.txt")).isEqualTo("times\n");
    }

    @Test
    void aCommandThatFailsFailsForEverybody() throws Exception {
        HarborTask task = with("RUN exit 3\n");
        TaskSandbox sandboxes = new TaskSandbox(provider);
        for (String lease : List.of("a", "b")) {
            assertThatThrownBy(() -> said(sandboxes, task, lease, "true"))
                    .isInstanceOf(SandboxException.class)
                    .hasMessageContaining("RUN failed (exit 3)");
        }
        assertThat(provider.leases("test")).isEmpty();
    }

    @Test
    void isGradedAsIfItHadBeenMadeAfresh() throws Exception {
        TaskFolder task = withRun("RUN echo tool > tool.txt\n");
        String fixes = "sed -i s/minus/plus/ sign.txt";
        assertThat(play(task, fixes, "rm tool.txt").reward()).isEqualTo(1.0);
        assertThat(play(task, "rm tool.txt").reward()).isEqualTo(0.0);
        assertThat(play(task, fixes).reward()).isEqualTo(1.0);
    }

    private TaskFolder withRun(String instruction) throws Exception {
        return task().with("environment/Dockerfile", TaskFolder.DOCKERFILE + instruction);
    }

    private HarborTask with(String instruction) throws Exception {
        return loader.load(withRun(instruction).path);
    }

    private static String said(TaskSandbox sandboxes, HarborTask task, String lease, String text)
            throws SandboxException {
        try (Sandbox sandbox = sandboxes.prepare(task, Lease.of(lease, "test"))) {
            ExecRequest request = new ExecRequest("e", text, "", Map.of(), 20_000, 1_000);
            return new String(sandbox.exec(request).output(), StandardCharsets.UTF_8);
        }
    }
}
