package dev.millrace.backends.modal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.backends.port.SandboxLimits;
import dev.millrace.backends.port.SandboxSpec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.opentest4j.TestAbortedException;

/**
 * One sandbox at Modal itself, with the token of the environment and the image {@code
 * MILLRACE_TEST_MODAL_IMAGE}. Costs a little.
 */
@Timeout(900)
final class ModalLiveTest {

    @Test
    void runsACommandCarriesAFileAndLeavesNothing() throws Exception {
        if (System.getenv("MODAL_TOKEN_ID") == null) {
            throw new TestAbortedException(
                    "skipped: modal: no account: MODAL_TOKEN_ID and MODAL_TOKEN_SECRET are not"
                            + " set");
        }
        String image =
                Optional.ofNullable(System.getenv("MILLRACE_TEST_MODAL_IMAGE"))
                        .orElse("python:3.12-slim-bookworm");
        ModalSettings settings = ModalSettings.of("millrace-test", image);
        Lease lease = new Lease("live/" + UUID.randomUUID(), "live-test/rollout/0", 1, 60_000);
        SandboxSpec spec = new SandboxSpec(lease, "", "/app", Map.of(), SandboxLimits.SMALL);
        try (ModalProvider provider = new ModalProvider(settings, System.getenv())) {
            try (Sandbox sandbox = provider.create(spec)) {
                byte[] content = {0, 1, (byte) 0xff};
                sandbox.putFiles("/app", List.of(new SandboxFile("in", content, false)));
                ExecResult copied = sandbox.exec(command("cp in out; id -u; pwd", 60_000));
                assertThat(new String(copied.output(), StandardCharsets.UTF_8))
                        .isEqualTo("1000\n/app\n");
                assertThat(sandbox.getFiles("/app", 1_000))
                        .extracting(SandboxFile::content)
                        .containsExactly(content, content);
                ExecResult slow = sandbox.exec(command("echo partial; sleep 600", 3_000));
                assertThat(slow.timedOut()).isTrue();
                assertThat(new String(slow.output(), StandardCharsets.UTF_8))
                        .isEqualTo("partial\n");
            }
            assertThat(provider.leases("live-test")).doesNotContain(lease.name());
        }
    }

    private static ExecRequest command(String text, long timeoutMillis) {
        return new ExecRequest("effect", text, "", Map.of(), timeoutMillis, 10_000);
    }
}
