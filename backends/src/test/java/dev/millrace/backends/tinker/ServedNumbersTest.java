package dev.millrace.backends.tinker;

import static dev.millrace.backends.port.PolicyBackend.LOSS;
import static dev.millrace.backends.port.PolicyBackend.ref;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.backends.port.AdamSpec;
import dev.millrace.backends.port.Datum;
import dev.millrace.backends.port.LossResult;
import dev.millrace.backends.port.TrainerSession;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * One minibatch and its update by a real server, against what the model, its adapter and the
 * formulas say when they are computed without the server. A first update moves one half of the
 * adapter only: the other half has no gradient while that one is 0.
 */
@EnabledIfEnvironmentVariable(
        named = ServedBackend.URL,
        matches = "http.*",
        disabledReason = ServedBackend.WHY)
@EnabledIfEnvironmentVariable(
        named = Reference.FOLDER,
        matches = ".+",
        disabledReason = Reference.WHY)
class ServedNumbersTest {
    // Far above the noise of single precision, so that no gradient's sign is left to it.
    private static final AdamSpec ADAM = new AdamSpec(1e-3, 0.9, 0.95, 1e-4, 0, 0);
    private static final int[] FIRST = {1, 20, 300, 4, 500, 61, 7};
    private static final int[] SECOND = {80, 9, 100, 9, 110};
    // Below, inside and above the bounds, for both signs; 0 masks.
    private static final double[] FIRST_RATIOS = {1, 0.5, 0.5, 1.1, 1.1, 1.9, 1.9};
    private static final float[] FIRST_ADVANTAGES = {0, 1, -1, 0.5f, -0.5f, 2, -2};
    private static final double[] SECOND_RATIOS = {1, 1.0, 1.2, 0.9, 3};
    private static final float[] SECOND_ADVANTAGES = {0, 0, 0.25f, -0.75f, 0};

    @Test
    void theServersNumbersAreThoseOfTheFormulas() throws Exception {
        try (ServedBackend backend = ServedBackend.open()) {
            TrainerSession session = backend.trainer().open("numbers", "");
            String before = session.publish("v0").join();
            List<float[]> said = said(backend, before, List.of(FIRST, SECOND));
            List<Datum> data =
                    List.of(
                            datum(FIRST, said.get(0), FIRST_RATIOS, FIRST_ADVANTAGES),
                            datum(SECOND, said.get(1), SECOND_RATIOS, SECOND_ADVANTAGES));
            JsonNode expected = Reference.answer(before, data, LOSS, ADAM);
            agree(said, expected.path("logprobs"));
            LossResult result = session.forwardBackward("f", data, LOSS).join();
            double norm = session.optimStep("o", ADAM).join().gradientNorm();
            agree(result, norm, expected.path("step"));
            String after = session.publish("v1").join();
            agree(said(backend, after, List.of(FIRST, SECOND)), expected.path("after"));
        }
    }

    private static List<float[]> said(
            ServedBackend backend, String publication, List<int[]> sequences) {
        return sequences.stream()
                .map(tokens -> backend.sampler().computeLogprobs(ref(publication), tokens).join())
                .toList();
    }

    private static Datum datum(int[] tokens, float[] now, double[] ratios, float[] advantages) {
        float[] behavior = new float[tokens.length];
        for (int i = 1; i < tokens.length; i++) {
            behavior[i] = (float) (now[i] - Math.log(ratios[i]));
        }
        return new Datum(tokens, advantages, behavior);
    }

    private static void agree(LossResult result, double norm, JsonNode expected) {
        assertThat(result.loss()).isCloseTo(expected.path("loss").doubleValue(), within(1e-4));
        assertThat(result.tokens()).isEqualTo(8);
        assertThat(result.clippedFraction()).isEqualTo(expected.path("clipped").doubleValue());
        assertThat(result.approximateKl())
                .isCloseTo(expected.path("divergence").doubleValue(), within(1e-4));
        assertThat(result.entropy())
                .isCloseTo(expected.path("entropy").doubleValue(), within(1e-4));
        double expectedNorm = expected.path("norm").doubleValue();
        assertThat(norm).isCloseTo(expectedNorm, within(1e-3 * expectedNorm));
    }

    private static void agree(List<float[]> said, JsonNode expected) {
        List<Double> flat = new ArrayList<>();
        expected.forEach(sequence -> sequence.forEach(value -> flat.add(value.doubleValue())));
        double[] all =
                said.stream()
                        .flatMapToDouble(
                                one -> IntStream.range(1, one.length).mapToDouble(i -> one[i]))
                        .toArray();
        assertThat(all)
                .containsExactly(
                        flat.stream().mapToDouble(Double::doubleValue).toArray(), within(1e-3));
    }
}
