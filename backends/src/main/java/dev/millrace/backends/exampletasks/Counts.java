package dev.millrace.backends.exampletasks;

/**
 * How many tasks to draw for each split.
 *
 * @param train tasks to learn from
 * @param validation held-out tasks to tune settings on
 * @param test held-out tasks that only report
 */
public record Counts(int train, int validation, int test) {
    /** Enough training tasks for the embedded policy to learn copying instead of remembering. */
    public static final Counts DEFAULT = new Counts(400, 40, 40);

    /** Refuses negative counts. */
    public Counts {
        if (train < 0 || validation < 0 || test < 0) {
            throw new IllegalArgumentException(
                    "Counts of example tasks must not be negative: "
                            + train
                            + ", "
                            + validation
                            + ", "
                            + test
                            + ".");
        }
    }
}
