package dev.millrace.backends.embedded;

import dev.millrace.backends.port.LossResult;

/** Adds up measurements of parts of a minibatch. */
final class LossTotals {
    private double loss;
    private long tokens;
    private double clipped;
    private double divergence;
    private double entropy;

    void add(LossResult part) {
        loss += part.loss();
        tokens += part.tokens();
        clipped += part.clippedFraction() * part.tokens();
        divergence += part.approximateKl() * part.tokens();
        entropy += part.entropy() * part.tokens();
    }

    LossResult result() {
        double count = Math.max(1, tokens);
        return new LossResult(loss, tokens, clipped / count, divergence / count, entropy / count);
    }
}
