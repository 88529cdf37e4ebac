package dev.millrace.backends.embedded;

import static dev.millrace.backends.embedded.PolicyFixtures.ref;
import static dev.millrace.backends.embedded.PolicyFixtures.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.backends.port.Completion;
import dev.millrace.backends.port.SampleRequest;
import dev.millrace.backends.port.SamplerException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedSamplerTest {
    private static final ModelShape SHAPE = new ModelShape(293, 32, 2, 4);

    @TempDir private Path directory;
    private EmbeddedTrainer trainer;
    private EmbeddedSampler sampler;
    private String uri;

    @BeforeEach
    void start() {
        trainer = new EmbeddedTrainer(directory, SHAPE, 11);
        sampler = new EmbeddedSampler(2);
        uri = trainer.open("s", "").publish("v0").join();
    }

    @AfterEach
    void stop() {
        sampler.close();
        trainer.close();
    }

    @Test
    void givesTheSameTokensForTheSameRequestInAnyCompany() {
        int[] prompt = PolicyFixtures.tokens(1, 293, 30);
        Completion alone = sampler.sample(request(uri, prompt, 5)).join();
        List<CompletableFuture<Completion>> company = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            company.add(sampler.sample(request(uri, PolicyFixtures.tokens(i, 293, 5 + i % 40), i)));
        }
        CompletableFuture<Completion> again = sampler.sample(request(uri, prompt, 5));
        company.forEach(CompletableFuture::join);
        assertThat(again.join().tokens()).isEqualTo(alone.tokens());
        assertThat(again.join().logprobs()).isEqualTo(alone.logprobs());
        assertThat(sampler.sample(request(uri, prompt, 6)).join().tokens())
                .isNotEqualTo(alone.tokens());
    }

    @Test
    void givesTheSameBitsWhetherItReadTheTurnBeforeOrNot() {
        int[] prompt = PolicyFixtures.tokens(1, 293, 30);
        Completion turn = sampler.sample(request(uri, prompt, 5)).join();
        int[] longer = java.util.Arrays.copyOf(prompt, prompt.length + turn.tokens().length + 9);
        System.arraycopy(turn.tokens(), 0, longer, prompt.length, turn.tokens().length);
        Completion warm = sampler.sample(request(uri, longer, 8)).join();
        try (EmbeddedSampler fresh = new EmbeddedSampler(1)) {
            Completion cold = fresh.sample(request(uri, longer, 8)).join();
            assertThat(cold.tokens()).isEqualTo(warm.tokens());
            assertThat(cold.logprobs()).isEqualTo(warm.logprobs());
        }
    }

    @Test
    void recomputesTheLogprobsThatItSampledWith() {
        int[] prompt = PolicyFixtures.tokens(3, 293, 20);
        Completion said = sampler.sample(request(uri, prompt, 4)).join();
        int[] all = java.util.Arrays.copyOf(prompt, prompt.length + said.tokens().length);
        System.arraycopy(said.tokens(), 0, all, prompt.length, said.tokens().length);
        float[] logprobs = sampler.computeLogprobs(ref(uri), all).join();
        assertThat(logprobs).hasSize(all.length);
        assertThat(logprobs[0]).isZero();
        for (int i = 0; i < said.tokens().length; i++) {
            assertThat(logprobs[prompt.length + i]).isCloseTo(said.logprobs()[i], within(1e-4f));
        }
    }

    @Test
    void servesSeveralVersionsAtOnce() {
        EmbeddedTrainer other = new EmbeddedTrainer(directory, SHAPE, 12);
        String second = other.open("other", "").publish("v0").join();
        other.close();
        int[] prompt = PolicyFixtures.tokens(1, 293, 20);
        int[] before = sampler.sample(request(uri, prompt, 5)).join().tokens();
        int[] between = sampler.sample(request(second, prompt, 5)).join().tokens();
        int[] after = sampler.sample(request(uri, prompt, 5)).join().tokens();
        assertThat(between).isNotEqualTo(before);
        assertThat(after).isEqualTo(before);
    }

    @Test
    void saysWhenAVersionIsGone() throws IOException {
        Files.delete(Path.of(URI.create(uri)));
        assertThatThrownBy(() -> sampler.sample(request(uri, new int[] {1}, 1)).join())
                .hasCauseInstanceOf(SamplerException.class)
                .cause()
                .extracting(e -> ((SamplerException) e).failureCause())
                .isEqualTo("version_gone");
    }

    @Test
    void takesTheLikeliestTokenAtTemperatureZero() {
        int[] prompt = PolicyFixtures.tokens(1, 293, 20);
        int[] one = greedy(prompt, 1).tokens();
        assertThat(greedy(prompt, 2).tokens()).isEqualTo(one);
        assertThat(greedy(prompt, 1).logprobs()[0]).isNegative();
    }

    @Test
    void samplesEachTokenAsOftenAsItsProbabilitySays() {
        float[] logits = {0f, (float) Math.log(2), (float) Math.log(5)};
        int[] counts = new int[3];
        for (int i = 0; i < 800; i++) {
            counts[TokenChoice.choose(logits, 1, (i + 0.5) / 800)]++;
        }
        assertThat(counts).containsExactly(100, 200, 500);
        assertThat(TokenChoice.logprob(logits, 1)).isCloseTo((float) Math.log(0.25), within(1e-6f));
    }

    @Test
    void refusesRequestsThatMakeNoSense() {
        assertThatThrownBy(() -> sampler.sample(request(uri, new int[0], 1)).join())
                .hasMessageContaining("prompt is empty");
        assertThatThrownBy(() -> sampler.sample(request(uri, new int[] {293}, 1)).join())
                .hasMessageContaining("token that is none");
    }

    @Test
    void failsWhatIsAskedAfterItsEnd() {
        sampler.close();
        assertThatThrownBy(() -> sampler.sample(request(uri, new int[] {1}, 1)).join())
                .hasMessageContaining("closed");
    }

    private Completion greedy(int[] prompt, long seed) {
        return sampler.sample(new SampleRequest("e", ref(uri), prompt, 8, 0, seed)).join();
    }
}
