package dev.millrace.backends.tinker;

import static dev.millrace.backends.port.PolicyBackend.LOSS;
import static dev.millrace.backends.port.PolicyBackend.ref;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.backends.fake.tinker.FakeTinkerServer;
import dev.millrace.backends.fake.tinker.ServerShape;
import dev.millrace.backends.port.AdamSpec;
import dev.millrace.backends.port.Datum;
import dev.millrace.backends.port.LossResult;
import dev.millrace.backends.port.TrainerSession;
import dev.millrace.backends.tinker.ServerTraits.Reduction;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One minibatch, from the arrays that are sent to the weights that come out, against numbers that
 * are computed here: the policy's table of logits is read through the sampler, the gradient is
 * found by differences.
 */
class NumbersTest {
    private static final double RATE = 0.05;
    private static final AdamSpec ADAM = new AdamSpec(RATE, 0.9, 0.95, 1e-8, 0, 0);
    private static final double STEP = 1e-4;
    private static final int[] FIRST = {1, 2, 3, 4, 5, 6, 7};
    private static final int[] SECOND = {8, 9, 10, 9, 11};
    // Below, inside and above the bounds, for both signs; 0 masks.
    private static final double[] FIRST_RATIOS = {1, 0.5, 0.5, 1.1, 1.1, 1.9, 1.9};
    private static final float[] FIRST_ADVANTAGES = {0, 1, -1, 0.5f, -0.5f, 2, -2};
    private static final double[] SECOND_RATIOS = {1, 1.0, 1.27, 0.81, 3};
    private static final float[] SECOND_ADVANTAGES = {0, 0, 0.25f, -0.75f, 0};

    @ParameterizedTest
    @EnumSource(Reduction.class)
    void trainsByTheFormula(Reduction reduction) throws IOException {
        FakeTinkerServer server = new FakeTinkerServer(ServerShape.usual());
        if (reduction == Reduction.MEAN) {
            server.faults().averages();
        }
        try (TinkerBackend backend =
                TinkerBackend.of(server, new ServerTraits(true, true, reduction))) {
            TrainerSession session = backend.trainer().open("a", "");
            double[][] logits = table(backend, session.publish("v0").join());
            List<Datum> data =
                    List.of(
                            datum(logits, FIRST, FIRST_RATIOS, FIRST_ADVANTAGES),
                            datum(logits, SECOND, SECOND_RATIOS, SECOND_ADVANTAGES));
            LossResult result = session.forwardBackward("f", data, LOSS).join();
            double[][] gradient = gradient(logits, data);
            double norm = session.optimStep("o", ADAM).join().gradientNorm();

            assertThat(result.loss()).isCloseTo(loss(logits, data), within(1e-5));
            assertThat(result.tokens()).isEqualTo(8);
            // 1.9 with a gain and 0.5 with a loss are clipped, 0.5 with a gain and 1.9 with a loss
            // are not.
            assertThat(result.clippedFraction()).isEqualTo(2 / 8.0);
            assertThat(norm).isCloseTo(norm(gradient), within(1e-3 * norm));
            double[][] after = table(backend, session.publish("v1").join());
            for (int row = 0; row < logits.length; row++) {
                double[] stepped = new double[logits.length];
                for (int i = 0; i < logits.length; i++) {
                    double slope = gradient[row][i];
                    stepped[i] = logits[row][i] - RATE * slope / (Math.abs(slope) + 1e-8);
                }
                double[] expected = logprobs(stepped);
                for (int i = 0; i < logits.length; i++) {
                    assertThat(after[row][i]).isCloseTo(expected[i], within(1e-3));
                }
            }
        }
    }

    /** Log-probabilities of every token after every token; as good as logits. */
    private static double[][] table(TinkerBackend backend, String publication) {
        int ids = backend.vocabulary();
        double[][] table = new double[ids][ids];
        for (int row = 0; row < ids; row++) {
            int[] pairs = new int[2 * ids];
            for (int i = 0; i < ids; i++) {
                pairs[2 * i] = row;
                pairs[2 * i + 1] = i;
            }
            float[] said = backend.sampler().computeLogprobs(ref(publication), pairs).join();
            for (int i = 0; i < ids; i++) {
                table[row][i] = said[2 * i + 1];
            }
        }
        return table;
    }

    private static Datum datum(
            double[][] logits, int[] tokens, double[] ratios, float[] advantages) {
        float[] behavior = new float[tokens.length];
        for (int i = 1; i < tokens.length; i++) {
            double now = logprobs(logits[tokens[i - 1]])[tokens[i]];
            behavior[i] = (float) (now - Math.log(ratios[i]));
        }
        return new Datum(tokens, advantages, behavior);
    }

    private static double loss(double[][] logits, List<Datum> data) {
        double loss = 0;
        for (Datum datum : data) {
            for (int i = 1; i < datum.tokens().length; i++) {
                double now = logprobs(logits[datum.tokens()[i - 1]])[datum.tokens()[i]];
                double ratio = Math.exp(now - datum.behaviorLogprobs()[i]);
                double bounded = ratio < 0.8 ? 0.8 : Math.min(ratio, 1.28);
                loss -= Math.min(ratio * datum.advantages()[i], bounded * datum.advantages()[i]);
            }
        }
        return loss;
    }

    private static double[][] gradient(double[][] logits, List<Datum> data) {
        double[][] gradient = new double[logits.length][logits.length];
        for (int row = 0; row < logits.length; row++) {
            for (int i = 0; i < logits.length; i++) {
                double at = logits[row][i];
                logits[row][i] = at + STEP;
                double above = loss(logits, data);
                logits[row][i] = at - STEP;
                double below = loss(logits, data);
                logits[row][i] = at;
                gradient[row][i] = (above - below) / (2 * STEP);
            }
        }
        return gradient;
    }

    private static double norm(double[][] gradient) {
        double sum = 0;
        for (double[] row : gradient) {
            for (double value : row) {
                sum += value * value;
            }
        }
        return Math.sqrt(sum);
    }

    private static double[] logprobs(double[] logits) {
        double sum = 0;
        for (double logit : logits) {
            sum += Math.exp(logit);
        }
        double[] logprobs = new double[logits.length];
        for (int i = 0; i < logits.length; i++) {
            logprobs[i] = logits[i] - Math.log(sum);
        }
        return logprobs;
    }
}
