package dev.millrace.backends.tinker;

/**
 * A sequence as a loss reads it: position i holds what is known of target i. All arrays have the
 * same length.
 *
 * @param inputs all tokens but the last
 * @param targets all tokens but the first
 * @param advantages of the targets
 * @param logprobs of the targets, under the policy that sampled them
 * @param weights of the targets, or null for none
 */
record LossDatum(
        int[] inputs, int[] targets, float[] advantages, float[] logprobs, float[] weights) {
    int length() {
        return targets.length;
    }
}
