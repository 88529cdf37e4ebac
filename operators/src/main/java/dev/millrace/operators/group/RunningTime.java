package dev.millrace.operators.group;

/**
 * The clock without the time during which the operator did not run: from the checkpoint it was
 * restored from until it ran again.
 */
final class RunningTime {
    private long downMillis;

    /**
     * @param kept what every subtask kept at the same checkpoint
     * @param now by the clock, milliseconds
     */
    RunningTime(Iterable<long[]> kept, long now) {
        long stoppedAt = now;
        for (long[] clocks : kept) {
            downMillis = Math.max(downMillis, clocks[0]);
            stoppedAt = clocks[1];
        }
        downMillis += Math.max(0, now - stoppedAt);
    }

    /** Running time at a moment of the clock. */
    long at(long clock) {
        return clock - downMillis;
    }

    /** The moment of the clock at which a running time comes, unless it stops again. */
    long clockAt(long running) {
        return running + downMillis;
    }

    /** Both clocks, to be kept. */
    long[] state(long now) {
        return new long[] {downMillis, now};
    }
}
