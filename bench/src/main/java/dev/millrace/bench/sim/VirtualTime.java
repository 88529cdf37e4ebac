package dev.millrace.bench.sim;

/**
 * Time that runs faster than the clock.
 *
 * @param factor virtual seconds in a real one
 */
public record VirtualTime(double factor) {
    /** Checks the factor. */
    public VirtualTime {
        if (!(factor >= 1)) {
            throw new IllegalArgumentException("The time factor must be 1 or more, got " + factor);
        }
    }

    /** Real milliseconds that so many virtual ones take. */
    public long realMillis(long virtualMillis) {
        return Math.round(virtualMillis / factor);
    }

    /** Virtual milliseconds that pass in so many real ones. */
    public long virtualMillis(long realMillis) {
        return Math.round(realMillis * factor);
    }
}
