package dev.millrace.backends.embedded;

/**
 * Weights made ready for sampling. Never changes, so any number of threads may use it.
 *
 * @param weights of the policy
 * @param unembedding the embedding, transposed
 */
record ServedPolicy(Weights weights, float[] unembedding) {
    static ServedPolicy of(Weights weights) {
        ModelShape shape = weights.shape();
        return new ServedPolicy(
                weights,
                Kernels.transpose(
                        weights.get(Layout.EMBEDDING), shape.vocabulary(), shape.width()));
    }

    ModelShape shape() {
        return weights.shape();
    }
}
