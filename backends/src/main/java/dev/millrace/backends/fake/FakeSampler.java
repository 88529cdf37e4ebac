package dev.millrace.backends.fake;

import dev.millrace.backends.port.Completion;
import dev.millrace.backends.port.SampleRequest;
import dev.millrace.backends.port.Sampler;
import dev.millrace.udfs.model.PolicyRef;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Says one of the answers at random, by the request's seed, and after the first turn that it is
 * done.
 */
public final class FakeSampler implements Sampler {
    private final long latencyMillis;

    /** Answers after that long. */
    public FakeSampler(long latencyMillis) {
        this.latencyMillis = latencyMillis;
    }

    @Override
    public CompletableFuture<Completion> sample(SampleRequest request) {
        boolean first = request.effectId().endsWith(".0");
        SplittableRandom random = new SplittableRandom(request.seed());
        int token = first ? random.nextInt(FakeTasks.ANSWERS) : FakeTasks.ANSWERS;
        float logprob = (float) -random.nextDouble();
        Completion said =
                new Completion(
                        new int[] {token}, new float[] {logprob}, request.policy().version(), true);
        CompletableFuture<Completion> answer = new CompletableFuture<>();
        return answer.completeOnTimeout(said, latencyMillis, TimeUnit.MILLISECONDS);
    }

    @Override
    public CompletableFuture<float[]> computeLogprobs(PolicyRef policy, int[] tokens) {
        return CompletableFuture.completedFuture(new float[tokens.length]);
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}
