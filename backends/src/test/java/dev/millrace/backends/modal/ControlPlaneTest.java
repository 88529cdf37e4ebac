package dev.millrace.backends.modal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import io.grpc.Metadata;
import io.grpc.Status;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls of the control plane when they go wrong. */
@Timeout(60)
final class ControlPlaneTest {
    private static final String APP = "AppGetOrCreate";

    private StandInServer server;
    private ControlPlane control;

    @BeforeEach
    void open() throws Exception {
        server = new StandInServer();
        control = new ControlPlane(server.settings(), ModalCredentials.from(StandInServer.TOKEN));
    }

    @AfterEach
    void close() throws Exception {
        control.close();
        server.close();
    }

    private List<String> sent(String method, String header) {
        Metadata.Key<String> key = Metadata.Key.of(header, Metadata.ASCII_STRING_MARSHALLER);
        return server.faults().headers(method).stream()
                .map(headers -> headers.containsKey(key) ? headers.get(key) : "")
                .toList();
    }

    private SandboxException failure() {
        return catchThrowableOfType(SandboxException.class, control::appId);
    }

    @Test
    void triesAgainUnderOneKeyAndSaysHowOften() throws Exception {
        server.faults().fail(APP, Status.UNAVAILABLE, 2);
        assertThat(control.appId()).isEqualTo("ap-1");
        assertThat(sent(APP, "x-idempotency-key")).hasSize(3).containsOnly(key());
        assertThat(sent(APP, "x-retry-attempt")).containsExactly("0", "1", "2");
        assertThat(sent(APP, "x-throttle-retry-attempt")).containsOnly("0");
        assertThat(sent(APP, "x-retry-delay").get(0)).isEmpty();
        assertThat(sent(APP, "x-retry-delay").get(2)).matches("[0-9]+\\.[0-9]{3}");
        assertThat(sent("AuthTokenGet", "x-modal-auth-token")).containsExactly("");
    }

    private String key() {
        return sent(APP, "x-idempotency-key").get(0);
    }

    @Test
    void givesUpAfterThreeRepetitions() {
        server.faults().fail(APP, Status.INTERNAL, 9);
        assertThat(failure().kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(server.faults().headers(APP)).hasSize(4);
    }

    @Test
    void doesNotRepeatWhatWillBeRefusedAgain() {
        server.faults().fail(APP, Status.INVALID_ARGUMENT.withDescription("bad name"), 9);
        assertThat(failure()).hasMessageContaining("INVALID_ARGUMENT bad name");
        assertThat(server.faults().headers(APP)).hasSize(1);
    }

    @Test
    void pausesThatTheServerAsksForUseUpNoAttempts() throws Exception {
        server.faults().throttle(APP, 0.1f, 6);
        assertThat(control.appId()).isEqualTo("ap-1");
        assertThat(sent(APP, "x-retry-attempt")).hasSize(7).containsOnly("0");
        assertThat(sent(APP, "x-throttle-retry-attempt").get(6)).isEqualTo("6");
        assertThat(Double.parseDouble(sent(APP, "x-retry-delay").get(6)))
                .isGreaterThanOrEqualTo(0.6);
    }

    @Test
    void aPauseThatIsTooLongIsHandedOn() {
        server.faults().throttle(APP, 90, 1);
        SandboxException often = failure();
        assertThat(often.kind()).isEqualTo(Kind.RATE_LIMITED);
        assertThat(often.retryAfterMillis()).isEqualTo(90_000);
    }

    @Test
    void aTokenThatIsNotAcceptedAnyMoreIsExchangedOnce() throws Exception {
        assertThat(control.appId()).isEqualTo("ap-1");
        server.control().tokens().revokeAll();
        assertThat(control.builderVersion()).isEqualTo("2025.06");
        assertThat(server.faults().headers("AuthTokenGet")).hasSize(2);
        server.faults().fail("EnvironmentGetOrCreate", Status.UNAUTHENTICATED, 9);
        try (ControlPlane other =
                new ControlPlane(server.settings(), ModalCredentials.from(StandInServer.TOKEN))) {
            SandboxException refused =
                    catchThrowableOfType(SandboxException.class, other::builderVersion);
            assertThat(refused.kind()).isEqualTo(Kind.UNSUPPORTED);
        }
        assertThat(server.faults().headers("EnvironmentGetOrCreate")).hasSize(4);
    }

    @Test
    void aCancelledCallerIsToldSoAndNothingIsRepeated() throws Exception {
        server.faults().throttle(APP, 1.5f, 1);
        AtomicReference<Thread> caller = new AtomicReference<>();
        CompletableFuture<SandboxException> call =
                CompletableFuture.supplyAsync(
                        () -> {
                            caller.set(Thread.currentThread());
                            return failure();
                        });
        await().until(() -> server.faults().headers(APP).size() == 1);
        caller.get().interrupt();
        assertThat(call.get().kind()).isEqualTo(Kind.CANCELLED);
        assertThat(server.faults().headers(APP)).hasSize(1);
    }

    @Test
    void theSecretIsInNoText() throws Exception {
        String secret = "as-secret-that-is-wrong";
        ModalCredentials wrong =
                ModalCredentials.from(
                        Map.of("MODAL_TOKEN_ID", "ak-x", "MODAL_TOKEN_SECRET", secret));
        try (ControlPlane other = new ControlPlane(server.settings(), wrong)) {
            SandboxException refused = catchThrowableOfType(SandboxException.class, other::appId);
            StringWriter text = new StringWriter();
            refused.printStackTrace(new PrintWriter(text));
            assertThat(refused.kind()).isEqualTo(Kind.UNSUPPORTED);
            assertThat(text.toString() + wrong).doesNotContain(secret);
        }
    }

    @Test
    void withoutATokenItNamesTheVariables() {
        SandboxException refused =
                catchThrowableOfType(SandboxException.class, () -> ModalCredentials.from(Map.of()));
        assertThat(refused.kind()).isEqualTo(Kind.UNSUPPORTED);
        assertThat(refused).hasMessageContaining("MODAL_TOKEN_ID and MODAL_TOKEN_SECRET");
    }
}
