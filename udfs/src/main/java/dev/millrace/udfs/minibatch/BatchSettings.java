package dev.millrace.udfs.minibatch;

import java.io.Serializable;

/**
 * How groups become minibatches.
 *
 * @param runId the run
 * @param runSeed of the run
 * @param groupsPerBatch groups of one step
 * @param groupsPerMinibatch groups of one minibatch; divides {@code groupsPerBatch}
 * @param steps of the run; what closes later is surplus
 * @param maxLag most steps between the weights that sampled a group and those it trains
 * @param divideByStd whether advantages are divided by the group's standard deviation
 * @param shuffleRewards whether rewards are dealt anew inside each group, as a control
 * @param lockstep whether minibatches are made by the groups' indexes instead of the order in which
 *     groups close, each step of groups that were sampled by exactly its weights
 */
public record BatchSettings(
        String runId,
        long runSeed,
        int groupsPerBatch,
        int groupsPerMinibatch,
        long steps,
        int maxLag,
        boolean divideByStd,
        boolean shuffleRewards,
        boolean lockstep)
        implements Serializable {
    /** Checks the numbers. */
    public BatchSettings {
        if (groupsPerMinibatch < 1 || groupsPerBatch % groupsPerMinibatch != 0) {
            throw new IllegalArgumentException(
                    "groupsPerMinibatch must divide groupsPerBatch, got "
                            + groupsPerMinibatch
                            + " and "
                            + groupsPerBatch);
        }
        if (lockstep && maxLag != 0) {
            throw new IllegalArgumentException("maxLag must be 0 in lockstep, got " + maxLag);
        }
    }

    /** Settings that take groups in the order in which they close. */
    public BatchSettings(
            String runId,
            long runSeed,
            int groupsPerBatch,
            int groupsPerMinibatch,
            long steps,
            int maxLag,
            boolean divideByStd,
            boolean shuffleRewards) {
        this(
                runId,
                runSeed,
                groupsPerBatch,
                groupsPerMinibatch,
                steps,
                maxLag,
                divideByStd,
                shuffleRewards,
                false);
    }

    /** Minibatches of one step. */
    public int minibatchesPerStep() {
        return groupsPerBatch / groupsPerMinibatch;
    }
}
