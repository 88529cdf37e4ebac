package dev.millrace.operators.minibatch;

import dev.millrace.udfs.model.PolicyRecord;
import java.io.Serializable;
import java.util.List;

/** Claims epochs in the topic of policies. */
public interface EpochClaims extends Serializable {
    /**
     * Claims the next epoch: 1 + the newest of {@code ownEpoch} and any that was ever announced or
     * published. Blocks until the announcement is durable and known to be the first of its epoch.
     *
     * @param runId the run
     * @param ownEpoch under which the caller acted last, 0 at first: the parent
     * @param forkStep steps that the new epoch has in common with its parent
     * @return all announcements of the run up to and including the claim, which is the last
     */
    List<PolicyRecord> claim(String runId, long ownEpoch, long forkStep);
}
