package dev.millrace.backends.embedded;

import dev.millrace.backends.port.Completion;
import dev.millrace.backends.port.ObjectStore;
import dev.millrace.backends.port.SampleRequest;
import dev.millrace.backends.port.Sampler;
import dev.millrace.backends.port.SamplerException;
import dev.millrace.backends.store.LocalObjects;
import dev.millrace.udfs.model.PolicyRef;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

/**
 * Samples from policies that {@link EmbeddedTrainer} published, on threads of its own. Each request
 * is computed alone, so its answer is the same bits whatever else is being sampled.
 */
public final class EmbeddedSampler implements Sampler {
    private static final int MAX_WAITING_REQUESTS = 4096;
    private static final int MAX_POLICIES = 6;
    private static final int MAX_PREFIXES = 128;

    private final PolicyCache policies;
    private final PrefixCache prefixes = new PrefixCache(MAX_PREFIXES);
    private final CallQueue calls;

    /** Samples from policies on a disk; see the other constructor. */
    public EmbeddedSampler(int threads) {
        this(threads, new LocalObjects());
    }

    /**
     * @param threads how many requests are computed at a time; more than one only helps on a
     *     machine that has cores to spare
     * @param files where the trainer published
     */
    public EmbeddedSampler(int threads, ObjectStore files) {
        policies = new PolicyCache(MAX_POLICIES, files);
        calls =
                new CallQueue(
                        "embedded-sampler",
                        threads,
                        MAX_WAITING_REQUESTS,
                        EmbeddedSampler::failure);
    }

    /**
     * {@inheritDoc}
     *
     * <p>Causes of failure: {@code version_gone}, {@code version_unreadable}, {@code bad_request},
     * {@code overloaded}, {@code internal}.
     */
    @Override
    public CompletableFuture<Completion> sample(SampleRequest request) {
        return calls.call(() -> complete(request));
    }

    @Override
    public CompletableFuture<float[]> computeLogprobs(PolicyRef policy, int[] tokens) {
        int[] kept = tokens.clone();
        return calls.call(
                () -> {
                    ServedPolicy served = policies.get(policy.uri());
                    check(served, kept);
                    return new Inference(served).logprobs(kept);
                });
    }

    @Override
    public void close() {
        calls.close();
    }

    private Completion complete(SampleRequest request) {
        ServedPolicy policy = policies.get(request.policy().uri());
        int[] prompt = request.prompt();
        check(policy, prompt);
        if (request.maxTokens() < 1 || !(request.temperature() >= 0)) {
            throw new SamplerException(
                    "bad_request", "maxTokens must be at least 1 and temperature at least 0.");
        }
        Inference inference = readPrompt(policy, request.policy().uri(), prompt);
        SplittableRandom random = new SplittableRandom(request.seed());
        int[] tokens = Arrays.copyOf(prompt, prompt.length + request.maxTokens());
        float[] logprobs = new float[request.maxTokens()];
        int count = 0;
        boolean stopped = false;
        while (true) {
            int token =
                    TokenChoice.choose(
                            inference.logits(), request.temperature(), random.nextDouble());
            logprobs[count] = TokenChoice.logprob(inference.logits(), token);
            tokens[prompt.length + count++] = token;
            stopped = token == Vocabulary.END_OF_TURN;
            if (stopped || count == request.maxTokens()) {
                break;
            }
            inference.read(new int[] {token}, 0);
        }
        prefixes.keep(request.policy().uri(), Arrays.copyOf(tokens, inference.length()), inference);
        return new Completion(
                Arrays.copyOfRange(tokens, prompt.length, prompt.length + count),
                Arrays.copyOf(logprobs, count),
                request.policy().version(),
                stopped);
    }

    private Inference readPrompt(ServedPolicy policy, String uri, int[] prompt) {
        Inference known = prefixes.find(uri, prompt);
        Inference inference = known == null ? new Inference(policy) : known;
        if (inference.length() < prompt.length) {
            inference.read(prompt, inference.length());
            prefixes.keep(uri, prompt, inference);
        }
        return inference;
    }

    private static void check(ServedPolicy policy, int[] tokens) {
        boolean valid = tokens.length > 0;
        for (int token : tokens) {
            valid &= token >= 0 && token < policy.shape().vocabulary();
        }
        if (!valid) {
            throw new SamplerException(
                    "bad_request", "The prompt is empty or holds a token that is none.");
        }
    }

    private static RuntimeException failure(Throwable thrown) {
        if (thrown instanceof SamplerException known) {
            return known;
        }
        return thrown instanceof RejectedExecutionException
                ? new SamplerException(
                        "overloaded", "The sampler is closed or has too many requests.")
                : new SamplerException("internal", thrown.toString());
    }
}
