package dev.millrace.bench.sim.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.millrace.backends.port.Completion;
import dev.millrace.backends.port.SampleRequest;
import dev.millrace.backends.port.SamplerException;
import dev.millrace.bench.sim.Services;
import dev.millrace.bench.sim.SimProcess;
import dev.millrace.bench.sim.SimTokens;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimSamplerTest {
    private static final PolicyRef POLICY = new PolicyRef(new PolicyVersion(2, 5), "sim-weights:x");
    @TempDir Path folder;
    private Services service;
    private final TaskFault fault = new TaskFault();

    @BeforeEach
    void start() throws Exception {
        service = Services.start(SimProcess.Kind.MODEL, folder.resolve("model.jsonl"));
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void saysTheSameWhateverTheOrderOfCalls() {
        List<Long> attempts = new ArrayList<>(List.of(11L, 12L, 13L, 14L, 15L, 16L));
        Map<Long, String> first = sampledTogether(attempts);
        Collections.shuffle(attempts, new Random(1));
        assertThat(sampledTogether(attempts)).isEqualTo(first);
        assertThat(first.values()).doesNotHaveDuplicates();
    }

    @Test
    void saysWhoseEveryTurnIs() {
        Completion said = sampler().sample(first(-5L)).join();
        assertThat(SimTokens.attempt(said.tokens())).hasValue(-5L);
        assertThat(said.logprobs()).hasSameSizeAs(said.tokens());
        assertThat(said.served()).isEqualTo(POLICY.version());
        int[] prompt = SimTokens.prompt(3);
        int[] longer = Arrays.copyOf(prompt, prompt.length + said.tokens().length);
        System.arraycopy(said.tokens(), 0, longer, prompt.length, said.tokens().length);
        Completion next =
                sampler()
                        .sample(new SampleRequest("sample#1.1", POLICY, longer, 500, 1, 99L))
                        .join();
        assertThat(SimTokens.attempt(next.tokens())).hasValue(-5L);
        assertThat(SimTokens.turnOf(next.tokens())).isEqualTo(1);
    }

    @Test
    void tellsAServerThatIsAwayFromOneThatRefuses() throws Exception {
        service.arm("model -> 503 once");
        assertThat(failure().isAway()).isTrue();
        service.arm("model -> 403 once");
        assertThat(failure().isAway()).isFalse();
        service.close();
        assertThat(failure().isAway()).isTrue();
    }

    @Test
    void showsALogProbabilityThatIsNoNumber() throws Exception {
        service.arm("model -> nan once");
        assertThat(sampler().sample(first(1)).join().logprobs()).contains(Float.NaN);
        assertThat(sampler().sample(first(1)).join().logprobs()).doesNotContain(Float.NaN);
    }

    @Test
    void failsTheTaskAtItsNextEffectWhenAFaultPlanSaysSo() throws Exception {
        service.arm("model -> task exception once");
        var unanswered = sampler().sample(first(1));
        await().untilAsserted(
                        () ->
                                assertThatThrownBy(() -> fault.on(null).start(null))
                                        .isInstanceOf(InjectedTaskException.class));
        assertThat(unanswered).isNotDone();
        assertThat(sampler().sample(first(1)).join().stopped()).isTrue();
    }

    @Test
    void givesALogProbabilityForEachToken() {
        float[] logprobs = sampler().computeLogprobs(POLICY, new int[] {1, 2, 3}).join();
        assertThat(logprobs).hasSize(3);
        assertThat(logprobs[0]).isZero();
    }

    private SamplerException failure() {
        return (SamplerException)
                catchThrowableOfType(
                                CompletionException.class, () -> sampler().sample(first(1)).join())
                        .getCause();
    }

    private Map<Long, String> sampledTogether(List<Long> attempts) {
        SimSampler sampler = sampler();
        Map<Long, CompletableFuture<Completion>> calls = new HashMap<>();
        attempts.forEach(attempt -> calls.put(attempt, sampler.sample(first(attempt))));
        Map<Long, String> said = new HashMap<>();
        calls.forEach(
                (attempt, call) ->
                        said.put(
                                attempt,
                                Arrays.toString(call.join().tokens())
                                        + Arrays.toString(call.join().logprobs())));
        return said;
    }

    private static SampleRequest first(long attempt) {
        return new SampleRequest("sample#1.0", POLICY, SimTokens.prompt(3), 500, 1, attempt);
    }

    private SimSampler sampler() {
        return new SimSampler(new ServiceClient(service.port(), 0), fault);
    }
}
