package dev.millrace.backends.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.SandboxLimits;
import dev.millrace.backends.port.SandboxSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a daemon in trouble says is told apart, and never blamed on the policy. */
@Timeout(60)
final class EngineTroubleTest {
    private static final String CREATE = "POST /v1.44/containers/create";
    private static final String PULL = "POST /v1.44/images/create";
    private static final String LOOK = "GET /v1.44/images/";

    @TempDir Path folder;
    private FakeEngine engine;
    private DockerProvider provider;

    @BeforeEach
    void open() throws IOException {
        engine = new FakeEngine(folder.resolve("engine.sock"));
        provider = new DockerProvider(settings(2_000));
    }

    @AfterEach
    void close() throws IOException {
        provider.close();
        engine.close();
    }

    private DockerSettings settings(long timeoutMillis) {
        DockerSettings usual = DockerSettings.at(folder.resolve("engine.sock"), "team/image:3");
        return new DockerSettings(
                usual.socket(),
                usual.image(),
                usual.user(),
                usual.shell(),
                usual.sizedDisk(),
                timeoutMillis,
                timeoutMillis,
                usual.killGraceMillis(),
                usual.hardOutputBytes());
    }

    private SandboxException failure() {
        SandboxSpec spec =
                new SandboxSpec("lease", "o", "", "/workspace", Map.of(), SandboxLimits.SMALL);
        SandboxException failure =
                catchThrowableOfType(SandboxException.class, () -> provider.create(spec));
        assertThat(failure.policyCaused()).isFalse();
        return failure;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    429 | slow down                                              | RATE_LIMITED
                    500 | all predefined address pools have been fully subnetted | RATE_LIMITED
                    500 | toomanyrequests: you have reached your pull rate limit | RATE_LIMITED
                    500 | Timeout waiting for systemd to create docker.scope     | UNREACHABLE
                    503 | the daemon is starting                                 | UNREACHABLE
                    500 | OCI runtime create failed: no such device              | CREATE_FAILED
                    409 | the name is in use                                     | CREATE_FAILED
                    400 | invalid size                                           | CREATE_FAILED
                    404 | no such image                                          | IMAGE
                    """)
    void refusalsOfACreationAreToldApart(int status, String said, Kind kind) {
        engine.answer(CREATE, status + " No", "{\"message\": \"" + said + "\"}");
        SandboxException failure = failure();
        assertThat(failure.kind()).isEqualTo(kind);
        assertThat(failure).hasMessageContaining(said);
        assertThat(engine.requests())
                .as("what may have been made is removed")
                .anyMatch(line -> line.startsWith("DELETE /v1.44/containers/millrace-"));
    }

    @Test
    void thePauseThatIsAskedForIsPassedOn() {
        engine.answer(CREATE, "429 No\r\nRetry-After: 7", "{\"message\": \"busy\"}");
        assertThat(failure().retryAfterMillis()).isEqualTo(7_000);
    }

    @Test
    void anErrorInsideOfASuccessfulPullIsOne() {
        engine.answer(LOOK, "404 Not Found", "{\"message\": \"no such image\"}");
        engine.answer(
                PULL,
                "200 OK",
                "{\"status\":\"Pulling\"}\r\n{\"errorDetail\":{\"message\":\"manifest unknown\"},"
                        + "\"error\":\"manifest unknown\"}\r\n");
        SandboxException failure = failure();
        assertThat(failure.kind()).isEqualTo(Kind.IMAGE);
        assertThat(failure).hasMessageContaining("team/image:3").hasMessageContaining("manifest");
        assertThat(engine.requests()).anyMatch(line -> line.endsWith("team%2Fimage&tag=3"));
    }

    @Test
    void aRegistryThatIsAskedTooOftenIsAskedAgainLater() {
        engine.answer(LOOK, "404 Not Found", "{\"message\": \"no such image\"}");
        String chunk = "{\"error\":\"toomanyrequests: rate limit\"}";
        engine.raw(
                PULL,
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + Integer.toHexString(chunk.length())
                        + "\r\n"
                        + chunk
                        + "\r\n0\r\n\r\n");
        assertThat(failure().kind()).isEqualTo(Kind.RATE_LIMITED);
    }

    @Test
    void aPullThatEndsInTheMiddleIsNoSuccess() {
        engine.answer(LOOK, "404 Not Found", "{\"message\": \"no such image\"}");
        engine.raw(PULL, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{\"status\"");
        assertThat(failure().kind()).isEqualTo(Kind.UNREACHABLE);
    }

    @Test
    void aDaemonThatDoesNotAnswerIsAway() {
        provider.close();
        provider = new DockerProvider(settings(300));
        engine.raw(CREATE, "");
        SandboxException failure = failure();
        assertThat(failure.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(failure).hasMessageContaining("300 ms");
    }

    @Test
    void whatIsNoDockerDaemonIsRefusedWithTheRemedy() throws Exception {
        engine.raw("GET /_ping", "SSH-2.0-server\r\n");
        SandboxException refused =
                catchThrowableOfType(SandboxException.class, () -> provider.probe());
        assertThat(refused.kind()).isEqualTo(Kind.UNSUPPORTED);
        assertThat(refused).hasMessageContaining("sandbox.docker.socket");
        engine.close();
        assertThat(catchThrowableOfType(SandboxException.class, () -> provider.probe()).kind())
                .isEqualTo(Kind.UNSUPPORTED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    "PidsLimit":true | "PidsLimit":false  | PidsLimit
                    "btrfs"          | "vfs"              | sandbox.docker.sizedDisk
                    """)
    void aDaemonThatEnforcesTooLittleIsRefused(String usual, String poor, String remedy) {
        String info =
                "{\"MemoryLimit\":true,\"PidsLimit\":true,\"CpuCfsQuota\":true,"
                        + "\"Driver\":\"btrfs\"}";
        engine.answer("GET /v1.44/info", "200 OK", info.replace(usual, poor));
        SandboxException refused =
                catchThrowableOfType(SandboxException.class, () -> provider.probe());
        assertThat(refused.kind()).isEqualTo(Kind.UNSUPPORTED);
        assertThat(refused).hasMessageContaining(remedy);
    }
}
