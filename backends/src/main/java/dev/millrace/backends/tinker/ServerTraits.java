package dev.millrace.backends.tinker;

import java.io.Serializable;

/**
 * In what servers of the protocol differ.
 *
 * @param repeatsSafely whether a training call that is sent again under its number is carried out
 *     once
 * @param immutablePublications whether a publication stays what it was while training goes on
 * @param reduction what a loss is over the data since the last update
 */
public record ServerTraits(
        boolean repeatsSafely, boolean immutablePublications, Reduction reduction)
        implements Serializable {

    /** How losses of tokens become one number. */
    public enum Reduction {
        /** Summed over all tokens. */
        SUM,
        /** Averaged over the tokens of each sequence, then over sequences. */
        MEAN
    }

    /** What the protocol asks for. */
    public static ServerTraits asSpecified() {
        return new ServerTraits(true, true, Reduction.SUM);
    }
}
