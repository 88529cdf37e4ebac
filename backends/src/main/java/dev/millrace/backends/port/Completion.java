package dev.millrace.backends.port;

import dev.millrace.udfs.model.PolicyVersion;

/**
 * What a policy said.
 *
 * @param tokens sampled ids, including the one that ended the turn if it was sampled
 * @param logprobs of those tokens, base e, at temperature 1, same length
 * @param served the version that really answered
 * @param stopped whether a stop token ended it; otherwise it reached its length
 */
public record Completion(int[] tokens, float[] logprobs, PolicyVersion served, boolean stopped) {}
