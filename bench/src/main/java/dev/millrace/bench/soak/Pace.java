package dev.millrace.bench.soak;

import java.util.Locale;

/**
 * How far a run is, and how long the rest takes at the pace so far.
 *
 * @param startedAt milliseconds since 1970
 * @param kills planned
 * @param steps of the run
 */
record Pace(long startedAt, int kills, long steps) {
    private static final int SECONDS = 60;

    /** {@code 12:31, step 40 of 200, about 38 min left}; no guess before anything is done. */
    String at(long now, int killsDone, long stepsDone) {
        long gone = (now - startedAt) / 1000;
        double share =
                kills == 0
                        ? part(stepsDone, steps)
                        : Math.min(part(killsDone, kills), part(stepsDone + 1, steps));
        String left =
                share <= 0
                        ? ""
                        : ", about "
                                + Math.max(1, Math.round(gone * (1 - share) / share / SECONDS))
                                + " min left";
        return String.format(
                Locale.ROOT,
                "%d:%02d, step %d of %d%s",
                gone / SECONDS,
                gone % SECONDS,
                stepsDone,
                steps,
                left);
    }

    private static double part(long done, long all) {
        return all == 0 ? 1 : (double) done / all;
    }
}
