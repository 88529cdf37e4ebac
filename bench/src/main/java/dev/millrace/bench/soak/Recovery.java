package dev.millrace.bench.soak;

/**
 * What one failure cost.
 *
 * @param seconds from the failure to the next new optimizer step
 * @param redoneSeconds work that was under way and is made again: the time since the last optimizer
 *     step, where the trainer restarted
 */
record Recovery(double seconds, double redoneSeconds) {
    /** The time that one failure is set against. */
    static final double WINDOW_SECONDS = 600;

    /** Effective training time ratio: the share of the window that was not lost, at least 0. */
    double ettr() {
        return Math.max(0, 1 - (seconds + redoneSeconds) / WINDOW_SECONDS);
    }

    /** Work counts as made again only where the trainer's work was lost. */
    static Recovery of(long lastStepAt, long failedAt, long nextStepAt, boolean trainerRestarts) {
        double redone = trainerRestarts ? Math.max(0, failedAt - lastStepAt) / 1000.0 : 0;
        return new Recovery((nextStepAt - failedAt) / 1000.0, redone);
    }
}
