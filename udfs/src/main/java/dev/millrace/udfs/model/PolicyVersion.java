package dev.millrace.udfs.model;

/**
 * Names the weights a token was sampled with: the epoch of the trainer session that made them and
 * the number of steps in them. Ordered by epoch, then step.
 *
 * @param epoch claimed by a trainer each time it opens, from 1; 0 is the initial policy
 * @param step optimiser batches in the weights
 */
public record PolicyVersion(long epoch, long step) implements Comparable<PolicyVersion> {

    /** Before anything was published. */
    public static final PolicyVersion NONE = new PolicyVersion(0, -1);

    @Override
    public int compareTo(PolicyVersion other) {
        int byEpoch = Long.compare(epoch, other.epoch);
        return byEpoch != 0 ? byEpoch : Long.compare(step, other.step);
    }

    @Override
    public String toString() {
        return "v" + epoch + "." + step;
    }
}
