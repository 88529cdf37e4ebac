package dev.millrace.backends.port;

import dev.millrace.udfs.model.PolicyRef;

/**
 * What to continue.
 *
 * @param effectId id of the effect that wants it
 * @param policy whose continuation
 * @param prompt token ids so far
 * @param maxTokens most tokens to sample, at least 1
 * @param temperature 1 samples from the policy itself, 0 takes the likeliest token
 * @param seed of the random numbers of this request alone
 */
public record SampleRequest(
        String effectId,
        PolicyRef policy,
        int[] prompt,
        int maxTokens,
        double temperature,
        long seed) {}
