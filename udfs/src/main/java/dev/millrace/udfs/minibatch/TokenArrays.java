package dev.millrace.udfs.minibatch;

/**
 * One attempt as a trainer reads it; all arrays have the same length.
 *
 * @param tokens ids, up to the last one that counts
 * @param advantages weight of each token in the loss, 0 where the policy did not sample it
 * @param behaviorLogprobs under the version that sampled the token, base e
 */
public record TokenArrays(int[] tokens, float[] advantages, float[] behaviorLogprobs) {}
