package dev.millrace.operators.minibatch;

import dev.millrace.operators.Samples;
import dev.millrace.udfs.model.PolicyRecord;
import java.util.ArrayList;
import java.util.List;

/** Claims epochs from a list in memory; forgets nothing between operators of a test. */
final class ListedEpochs implements EpochClaims {
    private static final long serialVersionUID = 1L;
    static final List<PolicyRecord> ANNOUNCED = new ArrayList<>();

    @Override
    public List<PolicyRecord> claim(String runId, long ownEpoch, long forkStep) {
        ANNOUNCED.add(Samples.announced(ANNOUNCED.size() + 1L, ownEpoch, forkStep));
        return List.copyOf(ANNOUNCED);
    }
}
