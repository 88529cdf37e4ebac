package dev.millrace.backends.port;

import dev.millrace.udfs.model.PolicyRef;
import java.util.concurrent.CompletableFuture;

/**
 * Samples from published policies. Never blocks the caller. Thread-safe. Serves several versions at
 * once.
 */
public interface Sampler extends AutoCloseable {

    /**
     * Continues a token sequence. The same request gives the same tokens.
     *
     * <p>Fails with {@link SamplerException}.
     */
    CompletableFuture<Completion> sample(SampleRequest request);

    /**
     * Log-probabilities, base e, of each token given those before it.
     *
     * @return an array as long as {@code tokens}; element 0 is 0
     */
    CompletableFuture<float[]> computeLogprobs(PolicyRef policy, int[] tokens);

    @Override
    void close();
}
