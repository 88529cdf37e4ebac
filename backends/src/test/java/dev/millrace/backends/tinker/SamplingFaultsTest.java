package dev.millrace.backends.tinker;

import static dev.millrace.backends.port.PolicyBackend.ref;
import static dev.millrace.backends.port.PolicyBackend.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.backends.fake.tinker.FakeTinkerServer;
import dev.millrace.backends.fake.tinker.ServerShape;
import dev.millrace.backends.port.Completion;
import dev.millrace.backends.port.SamplerException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SamplingFaultsTest {
    private static final int[] PROMPT = {3, 1, 4};

    private TinkerBackend backend;
    private FakeTinkerServer server;
    private String uri;

    @BeforeEach
    void start() throws IOException {
        server = new FakeTinkerServer(ServerShape.usual());
        backend = TinkerBackend.of(server);
        uri = backend.trainer().open("a", "").publish("p").join();
    }

    @AfterEach
    void stop() {
        backend.close();
    }

    private CompletableFuture<Completion> ask() {
        return backend.sampler().sample(request(uri, PROMPT, 5));
    }

    private static SamplerException failureOf(CompletableFuture<?> answer) {
        try {
            answer.join();
            throw new AssertionError("it was answered");
        } catch (CompletionException e) {
            return (SamplerException) e.getCause();
        }
    }

    @ParameterizedTest
    @CsvSource({"429", "408", "500", "425", "402"})
    void reportsAServerThatIsBusyOrAway(int status) {
        server.faults().refuse("asample", status, 1);
        assertThat(failureOf(ask()).isAway()).isTrue();
        assertThat(ask().join().tokens()).isNotEmpty();
    }

    @Test
    void reportsALostAnswerAsAway() {
        server.faults().loseReplies("asample", 1);
        assertThat(failureOf(ask()).isAway()).isTrue();
    }

    @Test
    void reportsALostResultAsAway() {
        int[] expected = ask().join().tokens();
        server.faults().refuse("retrieve_future", 410, 1);
        assertThat(failureOf(ask()).isAway()).isTrue();
        assertThat(ask().join().tokens()).isEqualTo(expected);
    }

    @Test
    void opensAnotherSessionWhenTheServerHasForgottenTheOldOne() {
        int[] expected = ask().join().tokens();
        server.forgetSessions();
        assertThat(ask().join().tokens()).isEqualTo(expected);
    }

    @Test
    void asksOnceMoreWhenTheServerGivesAReasonThatMayBeAnothers() {
        server.faults().refuse("retrieve_future", 400, 1);
        assertThat(ask().join().tokens()).isNotEmpty();
        server.faults().refuse("retrieve_future", 400, 2);
        assertThat(failureOf(ask()).failureCause()).isEqualTo("server_failed");
    }

    @Test
    void saysThatAVersionIsGoneWithItsModel() {
        server.faults().overwritesPublications();
        server.forgetModels();
        assertThat(failureOf(ask()).failureCause()).isEqualTo("version_gone");
    }

    @Test
    void stopsAskingWhenNobodyWaitsAnyMore() {
        server.faults().operationMillis(1_000);
        CompletableFuture<Completion> answer = ask();
        await().until(() -> server.log().contains("asample"));
        answer.cancel(true);
        server.faults().operationMillis(0);
        assertThat(ask().join().tokens()).isNotEmpty();
    }

    @Test
    void fillsInTheFirstLogprobWhenAServerLeavesItOut() {
        float[] whole = backend.sampler().computeLogprobs(ref(uri), PROMPT).join();
        server.faults().leavesFirstLogprobOut();
        assertThat(backend.sampler().computeLogprobs(ref(uri), PROMPT).join()).isEqualTo(whole);
        assertThat(whole).hasSize(3);
        assertThat(whole[0]).isZero();
    }

    @Test
    void asksTheBaseModel() {
        String base = PolicyUris.ofBaseModel(server.shape().model());
        assertThat(backend.sampler().computeLogprobs(ref(base), PROMPT).join())
                .isEqualTo(backend.sampler().computeLogprobs(ref(uri), PROMPT).join());
    }

    @Test
    void saysThatItsKeyIsRefused() {
        TinkerSettings settings = TinkerBackend.settings(server);
        try (TinkerSampler stranger = new TinkerSampler(settings, ApiKey.of("tml-wrong"))) {
            SamplerException failure = failureOf(stranger.sample(request(uri, PROMPT, 1)));
            assertThat(failure.failureCause()).isEqualTo("refused");
            assertThat(failure.getMessage()).doesNotContain("tml-wrong");
        }
        assertThat(ApiKey.of("tml-wrong").toString()).doesNotContain("tml-wrong");
    }
}
