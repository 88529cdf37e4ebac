package dev.millrace.backends.port;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Weights, gradients and optimiser of one trainer. Calls are carried out in the order they are
 * made; none blocks the caller. Futures fail with {@link TrainerException}.
 */
public interface TrainerSession extends AutoCloseable {

    /**
     * Adds the gradient of the loss over the data, a sum over tokens, to what has gathered since
     * the last step.
     */
    CompletableFuture<LossResult> forwardBackward(String effectId, List<Datum> data, LossSpec loss);

    /** One update with the gathered gradient, which is then zero. */
    CompletableFuture<OptimResult> optimStep(String effectId, AdamSpec adam);

    /**
     * Saves everything a later session needs to go on bit for bit.
     *
     * @param name unique; an existing name is refused
     * @return where it lies
     */
    CompletableFuture<String> saveState(String name);

    /**
     * Makes the present weights available to samplers, for ever unchanged.
     *
     * @param name unique; an existing name is refused
     * @return where they lie
     */
    CompletableFuture<String> publish(String name);

    /**
     * Fails once the trainer notices that the session is gone, asked or not; completes never. An
     * end by {@link #close} is none.
     */
    default CompletableFuture<Void> lost() {
        return new CompletableFuture<>();
    }

    @Override
    void close();
}
