package dev.millrace.backends.tinker;

import dev.millrace.backends.port.Datum;
import dev.millrace.backends.tinker.ServerTraits.Reduction;
import dev.millrace.backends.tinker.TinkerException.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Turns data to learn from into what servers read, and refuses what servers would accept in
 * silence: arrays of different lengths, numbers that are none, tokens that don't exist, nothing.
 */
final class LossData {
    private final TinkerSettings settings;

    LossData(TinkerSettings settings) {
        this.settings = settings;
    }

    /**
     * Checked and shifted.
     *
     * @throws TinkerException of kind INVALID, naming the datum
     */
    List<LossDatum> of(List<Datum> data) {
        if (data.isEmpty()) {
            throw invalid("there is no datum; a server would never answer");
        }
        List<LossDatum> shifted = new ArrayList<>();
        for (int i = 0; i < data.size(); i++) {
            String problem = problem(data.get(i));
            if (!problem.isEmpty()) {
                throw invalid("datum " + i + " of " + data.size() + " " + problem);
            }
            shifted.add(shift(data.get(i), data.size()));
        }
        return shifted;
    }

    private String problem(Datum datum) {
        int length = datum.tokens().length;
        if (length < 2) {
            return "has " + length + " tokens; one must follow another";
        }
        if (length > settings.contextTokens()) {
            return "has " + length + " tokens, the model takes " + settings.contextTokens();
        }
        if (datum.advantages().length != length || datum.behaviorLogprobs().length != length) {
            return "has arrays of different lengths";
        }
        for (int i = 0; i < length; i++) {
            if (!isToken(datum.tokens()[i], settings.vocabulary())) {
                return "has a token that is none: " + datum.tokens()[i];
            }
            if (i > 0
                    && !(Float.isFinite(datum.advantages()[i])
                            && Float.isFinite(datum.behaviorLogprobs()[i]))) {
                return "has a number that is none at token " + i;
            }
        }
        return "";
    }

    static boolean isToken(int id, int vocabulary) {
        return id >= 0 && (vocabulary == 0 || id < vocabulary);
    }

    /**
     * A server that averages gets advantages that undo it: a sequence of W counted tokens among N
     * sequences is weighed N W times, which makes the mean of means a sum. The loss is homogeneous
     * in the advantages, so this is exact.
     */
    private LossDatum shift(Datum datum, int sequences) {
        int length = datum.tokens().length;
        float[] advantages = Arrays.copyOfRange(datum.advantages(), 1, length);
        float[] weights = null;
        if (settings.traits().reduction() == Reduction.MEAN) {
            weights = new float[length - 1];
            int counted = 0;
            for (int i = 0; i < weights.length; i++) {
                weights[i] = advantages[i] == 0 ? 0 : 1;
                counted += advantages[i] == 0 ? 0 : 1;
            }
            float factor = (float) sequences * counted;
            for (int i = 0; i < weights.length; i++) {
                advantages[i] *= factor;
            }
        }
        return new LossDatum(
                Arrays.copyOf(datum.tokens(), length - 1),
                Arrays.copyOfRange(datum.tokens(), 1, length),
                advantages,
                Arrays.copyOfRange(datum.behaviorLogprobs(), 1, length),
                weights);
    }

    private static TinkerException invalid(String what) {
        return new TinkerException(Kind.INVALID, "The data can't be trained on: " + what + ".");
    }
}
