package dev.millrace.backends.port;

import static dev.millrace.backends.port.PolicyBackend.ref;
import static dev.millrace.backends.port.PolicyBackend.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every sampler has to do. */
public abstract class SamplerContract {
    protected PolicyBackend backend;
    protected String uri;

    /** A fresh backend. */
    protected abstract PolicyBackend newBackend() throws Exception;

    @BeforeEach
    final void open() throws Exception {
        backend = newBackend();
        uri = backend.trainer().open("s", "").publish("v0").join();
    }

    @AfterEach
    final void close() {
        backend.close();
    }

    private int[] tokens(long seed, int length) {
        return backend.datum(seed, length, 0).tokens();
    }

    @Test
    void givesTheSameTokensForTheSameRequestInAnyCompany() {
        int[] prompt = tokens(1, 30);
        Completion alone = backend.sampler().sample(request(uri, prompt, 5)).join();
        List<CompletableFuture<Completion>> company = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            company.add(backend.sampler().sample(request(uri, tokens(i, 5 + i % 40), i)));
        }
        Completion again = backend.sampler().sample(request(uri, prompt, 5)).join();
        company.forEach(CompletableFuture::join);
        assertThat(again.tokens()).isEqualTo(alone.tokens());
        assertThat(again.logprobs()).containsExactly(alone.logprobs(), within(backend.rounding()));
        assertThat(backend.sampler().sample(request(uri, prompt, 6)).join().tokens())
                .isNotEqualTo(alone.tokens());
    }

    @Test
    void recomputesTheLogprobsThatItSampledWith() {
        int[] prompt = tokens(3, 20);
        Completion said = backend.sampler().sample(request(uri, prompt, 4)).join();
        int count = said.tokens().length;
        int[] all = Arrays.copyOf(prompt, prompt.length + count);
        System.arraycopy(said.tokens(), 0, all, prompt.length, count);
        float[] logprobs = backend.sampler().computeLogprobs(ref(uri), all).join();
        assertThat(logprobs).hasSize(all.length);
        assertThat(logprobs[0]).isZero();
        for (int i = 0; i < count; i++) {
            assertThat(logprobs[prompt.length + i]).isCloseTo(said.logprobs()[i], within(1e-4f));
        }
        assertThat(said.served()).isEqualTo(ref(uri).version());
    }

    @Test
    void servesSeveralVersionsAtOnce() {
        TrainerSession session = backend.trainer().open("other", "");
        for (int i = 0; i < 30; i++) {
            backend.step(session, i % 3);
        }
        String second = session.publish("v1").join();
        int[] prompt = tokens(1, 20);
        float[] before = backend.probe(uri);
        float[] between = backend.probe(second);
        assertThat(between).isNotEqualTo(before);
        assertThat(backend.probe(uri)).isEqualTo(before);
        assertThat(backend.sampler().sample(request(uri, prompt, 5)).join().tokens())
                .isEqualTo(backend.sampler().sample(request(uri, prompt, 5)).join().tokens());
    }

    @Test
    void takesTheLikeliestTokenAtTemperatureZero() {
        int[] prompt = tokens(1, 20);
        Completion one = greedy(prompt, 1);
        assertThat(greedy(prompt, 2).tokens()).isEqualTo(one.tokens());
        assertThat(one.logprobs()[0]).isNegative();
    }

    @Test
    void saysWhenAVersionIsGone() {
        assertThatThrownBy(
                        () ->
                                backend.sampler()
                                        .sample(request(uri + "-none", tokens(1, 4), 1))
                                        .join())
                .cause()
                .isInstanceOfSatisfying(
                        SamplerException.class,
                        e -> assertThat(e.failureCause()).isEqualTo("version_gone"));
    }

    @Test
    void refusesRequestsThatMakeNoSense() {
        for (int[] prompt : List.of(new int[0], new int[] {backend.vocabulary()})) {
            assertThatThrownBy(() -> backend.sampler().sample(request(uri, prompt, 1)).join())
                    .cause()
                    .isInstanceOfSatisfying(
                            SamplerException.class,
                            e -> assertThat(e.failureCause()).isEqualTo("bad_request"));
        }
    }

    @Test
    void failsWhatIsAskedAfterItsEnd() {
        backend.sampler().close();
        assertThatThrownBy(() -> backend.sampler().sample(request(uri, new int[] {1}, 1)).join())
                .hasCauseInstanceOf(SamplerException.class);
    }

    private Completion greedy(int[] prompt, long seed) {
        return backend.sampler()
                .sample(new SampleRequest("e", ref(uri), prompt, 8, 0, seed))
                .join();
    }
}
