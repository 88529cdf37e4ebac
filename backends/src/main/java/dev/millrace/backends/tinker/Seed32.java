package dev.millrace.backends.tinker;

/** Seeds that servers accept: whole numbers from 0 that stay 32-bit when one is added. */
final class Seed32 {
    private static final long MIX = 0x9e3779b97f4a7c15L;
    private static final int BITS = 31;

    private Seed32() {}

    /** Different seeds give different ones, as far as there are enough. */
    static int of(long seed) {
        if (seed >= 0 && seed < Integer.MAX_VALUE) {
            return (int) seed;
        }
        return (int) ((seed * MIX) >>> (Long.SIZE - BITS)) & (Integer.MAX_VALUE - 1);
    }
}
