package dev.millrace.udfs.advantage;

/** The weight of one token in the loss. */
public final class TokenAdvantages {
    private TokenAdvantages() {}

    /**
     * {@code (A - klCoef * (behavior - reference)) / D}.
     *
     * @param advantage A, of the whole attempt
     * @param klCoef strength of the pull towards the reference policy, 0 for none
     * @param behaviorLogprob of the token under the policy that sampled it, base e
     * @param referenceLogprob of the token under the reference policy, base e
     * @param normaliser D, generated tokens of the whole minibatch
     */
    public static double of(
            double advantage,
            double klCoef,
            double behaviorLogprob,
            double referenceLogprob,
            long normaliser) {
        return (advantage - klCoef * (behaviorLogprob - referenceLogprob)) / normaliser;
    }
}
