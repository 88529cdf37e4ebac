package dev.millrace.backends.tinker;

import dev.millrace.backends.port.Datum;
import dev.millrace.backends.port.LossResult;
import dev.millrace.backends.port.LossSpec;
import dev.millrace.backends.tinker.TinkerException.Kind;
import java.util.List;

/**
 * What a pass measured, from the log-probabilities that the server found: servers report losses
 * under different names and reductions, or not at all.
 */
final class LossMeasure {
    private LossMeasure() {}

    /**
     * Over the tokens that count. The entropy is estimated from the sampled tokens: the mean of
     * minus their log-probabilities.
     *
     * @throws TinkerException when the server's arrays don't fit the data
     */
    static LossResult of(List<Datum> data, List<float[]> logprobs, LossSpec bounds) {
        if (logprobs.size() != data.size()) {
            throw unusable("it has " + logprobs.size() + " sequences, sent " + data.size());
        }
        double loss = 0;
        double divergence = 0;
        double entropy = 0;
        long tokens = 0;
        long clipped = 0;
        for (int d = 0; d < data.size(); d++) {
            Datum datum = data.get(d);
            float[] now = logprobs.get(d);
            if (now.length != datum.tokens().length - 1) {
                throw unusable("sequence " + d + " has another length than what was sent");
            }
            for (int i = 0; i < now.length; i++) {
                double advantage = datum.advantages()[i + 1];
                if (advantage == 0) {
                    continue;
                }
                if (!Float.isFinite(now[i])) {
                    throw unusable("the log-probability of token " + (i + 1) + " is no number");
                }
                double difference = (double) now[i] - datum.behaviorLogprobs()[i + 1];
                double ratio = Math.exp(difference);
                double bounded = Math.max(bounds.clipLow(), Math.min(bounds.clipHigh(), ratio));
                loss -= Math.min(ratio * advantage, bounded * advantage);
                divergence += ratio - 1 - difference;
                entropy -= now[i];
                clipped += bounded * advantage < ratio * advantage ? 1 : 0;
                tokens++;
            }
        }
        double count = Math.max(1, tokens);
        return new LossResult(loss, tokens, clipped / count, divergence / count, entropy / count);
    }

    private static TinkerException unusable(String what) {
        return new TinkerException(Kind.OPERATION, "The server's result is unusable: " + what);
    }
}
