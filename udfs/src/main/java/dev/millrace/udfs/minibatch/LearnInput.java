package dev.millrace.udfs.minibatch;

import dev.millrace.udfs.model.Minibatch;
import dev.millrace.udfs.model.Reject;
import java.util.List;

/**
 * What the trainer takes: the epoch it is to act under, or a minibatch.
 *
 * @param claim set for an epoch, else null
 * @param minibatch set for a minibatch, else null
 * @param lagMean of a minibatch: mean lag of its groups when they were taken, in steps
 * @param rejects items that left the minibatch on its way, for the trainer to report
 */
public record LearnInput(
        EpochClaim claim, Minibatch minibatch, double lagMean, List<Reject> rejects) {
    /** An epoch. */
    public static LearnInput of(EpochClaim claim) {
        return new LearnInput(claim, null, 0, List.of());
    }

    /** A minibatch. */
    public static LearnInput of(Minibatch minibatch, double lagMean) {
        return new LearnInput(null, minibatch, lagMean, List.of());
    }
}
