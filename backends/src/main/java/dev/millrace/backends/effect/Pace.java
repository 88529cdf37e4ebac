package dev.millrace.backends.effect;

/**
 * How often something may be asked, by all callers together: at most so many times a second, and
 * not at all while the other side has asked for a pause. Thread-safe.
 */
public final class Pace {
    private final long gapNanos;
    private long next;

    /**
     * @param perSecond 0 for no limit
     */
    public Pace(double perSecond) {
        gapNanos = perSecond <= 0 ? 0 : Math.round(1e9 / perSecond);
        next = System.nanoTime();
    }

    /** Takes the next turn and says how many milliseconds away it is. */
    public synchronized long reserve() {
        long now = System.nanoTime();
        long turn = Math.max(now, next);
        next = turn + gapNanos;
        return (turn - now + 999_999) / 1_000_000;
    }

    /** Whether a turn taken before still stands, or a pause was asked for since. */
    synchronized boolean pausing() {
        return gapNanos == 0 && next > System.nanoTime();
    }

    /** Nobody may ask for that long. */
    public synchronized void pause(long millis) {
        next = Math.max(next, System.nanoTime() + millis * 1_000_000);
    }
}
