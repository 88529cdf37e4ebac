package dev.millrace.backends.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.backends.port.Datum;
import dev.millrace.backends.port.LossResult;
import dev.millrace.backends.port.LossSpec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class GradientEngineTest {
    private static final LossSpec SPEC = new LossSpec(0.8, 1.28);

    private final GradientEngine engine = new GradientEngine();
    private final Weights weights = Weights.random(PolicyFixtures.TINY, 3);

    @Test
    void computesTheLossOfTheClippedObjectiveAsItIsWritten() {
        List<Datum> data = mixedData();
        LossResult result = accumulate(data, Weights.zeros(weights.shape()));
        double loss = 0;
        double clipped = 0;
        double divergence = 0;
        int tokens = 0;
        for (Datum datum : data) {
            float[] now = new Inference(ServedPolicy.of(weights)).logprobs(datum.tokens());
            for (int i = 1; i < now.length; i++) {
                double advantage = datum.advantages()[i];
                if (advantage == 0) {
                    continue;
                }
                double ratio = Math.exp(now[i] - datum.behaviorLogprobs()[i]);
                double bounded = Math.max(0.8, Math.min(1.28, ratio));
                loss -= Math.min(ratio * advantage, bounded * advantage);
                clipped += (advantage > 0 ? ratio > 1.28 : ratio < 0.8) ? 1 : 0;
                divergence += ratio - 1 - Math.log(ratio);
                tokens++;
            }
        }
        assertThat(result.tokens()).isEqualTo(tokens);
        assertThat(result.loss()).isCloseTo(loss, within(1e-4));
        assertThat(result.clippedFraction()).isCloseTo(clipped / tokens, within(1e-9)).isPositive();
        assertThat(result.approximateKl()).isCloseTo(divergence / tokens, within(1e-4));
    }

    @Test
    void twoEnginesOfAProcessDoNotDisturbEachOther() throws Exception {
        List<Datum> data = mixedData();
        Weights alone = Weights.zeros(weights.shape());
        accumulate(data, alone);
        List<Callable<Weights>> both = Collections.nCopies(8, () -> fresh(data));
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (Future<Weights> each : threads.invokeAll(both)) {
                assertThat(each.get().values()).isDeepEqualTo(alone.values());
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private Weights fresh(List<Datum> data) {
        Weights gradient = Weights.zeros(weights.shape());
        accumulate(data, gradient);
        return gradient;
    }

    @Test
    void pointsWhereFiniteDifferencesPoint() {
        List<Datum> data = mixedData();
        Weights gradient = Weights.zeros(weights.shape());
        accumulate(data, gradient);
        SplittableRandom random = new SplittableRandom(5);
        for (int matrix = 0; matrix < weights.values().length; matrix++) {
            float[] direction = new float[weights.get(matrix).length];
            double expected = 0;
            for (int i = 0; i < direction.length; i++) {
                direction[i] = random.nextBoolean() ? 1 : -1;
                expected += direction[i] * gradient.get(matrix)[i];
            }
            float step = 4e-4f / (float) Math.sqrt(direction.length);
            double difference = lossAt(data, matrix, direction, step);
            difference -= lossAt(data, matrix, direction, -step);
            assertThat(difference / (2 * step))
                    .as(Layout.of(weights.shape()).get(matrix).name())
                    .isCloseTo(expected, within(2e-2 + 2e-2 * Math.abs(expected)));
        }
    }

    @Test
    void keepsNativeMemoryAliveUntilTheBackwardPassHasReadIt() throws InterruptedException {
        List<Datum> data = mixedData();
        Weights expected = Weights.zeros(weights.shape());
        accumulate(data, expected);
        AtomicBoolean done = new AtomicBoolean();
        // Frees Java buffers that nothing holds, so that others take their place.
        Thread collector =
                new Thread(
                        () -> {
                            while (!done.get()) {
                                System.gc();
                                ByteBuffer.allocateDirect(4).putInt(0, 0x7f000000);
                            }
                        });
        collector.start();
        try {
            for (int i = 0; i < 60; i++) {
                Weights again = Weights.zeros(weights.shape());
                accumulate(data, again);
                assertThat(again.values()).isDeepEqualTo(expected.values());
            }
        } finally {
            done.set(true);
            collector.join();
        }
    }

    @Test
    void addsUpGradientsOverCalls() {
        List<Datum> data = mixedData();
        Weights once = Weights.zeros(weights.shape());
        accumulate(data, once);
        Weights inParts = Weights.zeros(weights.shape());
        accumulate(data.subList(0, 2), inParts);
        accumulate(data.subList(2, data.size()), inParts);
        for (int i = 0; i < once.values().length; i++) {
            assertThat(inParts.get(i)).containsExactly(once.get(i), within(1e-4f));
        }
    }

    @Test
    void givesMaskedTokensNoGradient() {
        Datum datum = PolicyFixtures.datum(1, 11, 8, 0);
        Weights gradient = Weights.zeros(weights.shape());
        LossResult result = accumulate(List.of(datum), gradient);
        assertThat(result.tokens()).isZero();
        assertThat(Adam.norm(gradient)).isZero();
    }

    @Test
    void agreesWithSamplingOnLogProbabilities() {
        Weights standard = Weights.random(ModelShape.standard(), 9);
        int[] tokens = PolicyFixtures.tokens(4, standard.shape().vocabulary(), 70);
        float[] sampled = new Inference(ServedPolicy.of(standard)).logprobs(tokens);
        float[] ones = new float[tokens.length];
        java.util.Arrays.fill(ones, 1f);
        // With the sampler's log-probabilities as behaviour, all ratios must be 1.
        LossResult result =
                engine.accumulate(
                        standard,
                        List.of(new Datum(tokens, ones, sampled)),
                        Objective.clipped(new LossSpec(0.9999, 1.0001)),
                        Weights.zeros(standard.shape()));
        assertThat(result.clippedFraction()).isZero();
        assertThat(result.approximateKl()).isLessThan(1e-8);
    }

    private double lossAt(List<Datum> data, int matrix, float[] direction, float step) {
        Weights moved = weights.copy();
        for (int i = 0; i < direction.length; i++) {
            moved.get(matrix)[i] += step * direction[i];
        }
        return engine.accumulate(
                        moved, data, Objective.clipped(SPEC), Weights.zeros(weights.shape()))
                .loss();
    }

    private LossResult accumulate(List<Datum> data, Weights gradient) {
        return engine.accumulate(weights, data, Objective.clipped(SPEC), gradient);
    }

    private static List<Datum> mixedData() {
        List<Datum> data = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            data.add(PolicyFixtures.datum(i, 11, 6 + i, i % 2 == 0 ? 0.7 : -0.4));
        }
        return data;
    }
}
