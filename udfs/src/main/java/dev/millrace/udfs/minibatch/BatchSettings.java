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
 */
public record BatchSettings(
        String runId,
        long runSeed,
        int groupsPerBatch,
        int groupsPerMinibatch,
        long steps,
        int maxLag,
        boolean divideByStd,
        boolean shuffleRewards)
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
    }

    /** Minibatches of one step. */
    public int minibatchesPerStep() {
        return groupsPerBatch / groupsPerMinibatch;
    }
}
