package dev.millrace.backends.embedded;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import dev.millrace.backends.port.LossResult;
import dev.millrace.backends.port.LossSpec;

/** What is minimised. */
interface Objective {
    /** The objective over a batch, given log-probabilities, tokens x vocabulary. */
    Value evaluate(NDArray logprobs, TokenBatch batch, NDManager scope);

    /**
     * The objective and what it is made of.
     *
     * @param loss summed over tokens, differentiable
     * @param chosen log-probability of each token that counts
     * @param all log-probabilities of all tokens in their place
     * @param bounds what the ratio was clipped to, or null
     */
    record Value(NDArray loss, NDArray chosen, NDArray all, LossSpec bounds) {
        LossResult measure(TokenBatch batch) {
            float[] now = chosen.toFloatArray();
            double clipped = 0;
            double divergence = 0;
            for (int i = 0; i < now.length && bounds != null; i++) {
                double difference = now[i] - batch.behaviorLogprobs()[i];
                double ratio = Math.exp(difference);
                divergence += ratio - 1 - difference;
                boolean outside =
                        batch.advantages()[i] > 0
                                ? ratio > bounds.clipHigh()
                                : ratio < bounds.clipLow();
                clipped += outside ? 1 : 0;
            }
            double entropy = -all.exp().mul(all).sum().getFloat();
            return new LossResult(
                    loss.getFloat(),
                    now.length,
                    clipped / now.length,
                    divergence / now.length,
                    entropy / now.length);
        }
    }

    /** Minus the weighted log-likelihood, with the advantages as weights. */
    static Objective likelihood() {
        return (logprobs, batch, scope) -> {
            NDArray chosen = chosen(logprobs, batch, scope);
            NDArray weights = scope.create(batch.advantages());
            return new Value(chosen.mul(weights).sum().neg(), chosen, logprobs, null);
        };
    }

    /** The clipped policy-gradient objective that {@link LossSpec} states. */
    static Objective clipped(LossSpec spec) {
        float low = (float) spec.clipLow();
        float high = (float) spec.clipHigh();
        return (logprobs, batch, scope) -> {
            NDArray chosen = chosen(logprobs, batch, scope);
            NDArray advantages = scope.create(batch.advantages());
            NDArray ratio = chosen.sub(scope.create(batch.behaviorLogprobs())).exp();
            NDArray bounded =
                    NDArrays.minimum(ratio.mul(advantages), ratio.clip(low, high).mul(advantages));
            return new Value(bounded.sum().neg(), chosen, logprobs, spec);
        };
    }

    private static NDArray chosen(NDArray logprobs, TokenBatch batch, NDManager scope) {
        NDArray targets = scope.create(batch.targets(), new Shape(batch.targets().length, 1));
        return logprobs.gather(targets, 1).reshape(batch.targets().length);
    }
}
