package dev.millrace.backends.effect;

/** Growing pauses between calls that fail. */
public final class Backoff {
    private static final int MOST = 20;

    private Backoff() {}

    /**
     * A pause between half and all of what doubling gives, so that callers that failed together
     * don't come back together.
     *
     * @param base first pause, milliseconds
     * @param failures calls that failed so far, at least 1
     * @param random in [0, 1)
     */
    public static long millis(long base, int failures, double random) {
        long full = Math.min(base * MOST, base << Math.min(failures - 1, 10));
        return full / 2 + Math.round(random * (full - full / 2.0));
    }
}
