package dev.millrace.udfs.model;

/**
 * One attempt in a minibatch.
 *
 * @param attemptId names it
 * @param trajectory its tokens, mask, log-probabilities
 * @param advantage of the whole attempt inside its group
 * @param generatedTokens tokens that the loss counts
 * @param referenceLogprobs log-probabilities under the reference policy, or null when no KL term is
 *     used
 */
public record MinibatchItem(
        String attemptId,
        ContentRef trajectory,
        double advantage,
        int generatedTokens,
        ContentRef referenceLogprobs) {}
