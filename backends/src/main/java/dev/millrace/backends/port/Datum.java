package dev.millrace.backends.port;

/**
 * One token sequence to learn from. The three arrays have the same length; element 0 of the last
 * two is ignored, since nothing predicts the first token.
 *
 * @param tokens ids
 * @param advantages weight of each token in the loss, already divided by the minibatch's
 *     normaliser; 0 masks a token
 * @param behaviorLogprobs log-probabilities, base e, under the policy that sampled the tokens
 */
public record Datum(int[] tokens, float[] advantages, float[] behaviorLogprobs) {}
