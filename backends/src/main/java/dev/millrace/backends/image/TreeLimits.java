package dev.millrace.backends.image;

/**
 * How much an image may bring.
 *
 * @param bytes of all files of all layers together
 * @param entries of all layers together
 */
public record TreeLimits(long bytes, long entries) {
    /** Enough for a distribution with compilers. */
    public static final TreeLimits USUAL = new TreeLimits(16L << 30, 2_000_000);
}
