package dev.millrace.bench.soak;

import java.util.List;

/**
 * How many kills struck at the worst moments.
 *
 * @param kills carried out
 * @param duringCheckpoint of them, while a checkpoint was in progress
 * @param beforeRecovered of them, before the one before was overcome
 */
record Shares(int kills, long duringCheckpoint, long beforeRecovered) {
    private static final int CHECKPOINT_PART = 5;
    private static final int EARLY_PART = 10;

    /** What a run of all kinds is short of: a fifth of the one, a tenth of the other. */
    List<String> tooFew() {
        boolean enough =
                duringCheckpoint >= kills / CHECKPOINT_PART
                        && beforeRecovered >= kills / EARLY_PART;
        return enough
                ? List.of()
                : List.of(
                        duringCheckpoint
                                + " of "
                                + kills
                                + " in a checkpoint, "
                                + beforeRecovered
                                + " before the last was overcome");
    }
}
