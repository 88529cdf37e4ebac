package dev.millrace.operators.step;

import dev.millrace.udfs.model.PolicyRecord;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeinfo.Types;

/**
 * Whether a run's training has ended, by what the topic of policies says in its order: the last
 * publication ends it, the announcement of another trainer takes that back, and the late word of a
 * trainer that was replaced counts for nothing.
 *
 * <p>State: in broadcast state, whether it has ended and the newest epoch.
 */
final class TrainingEnd {
    private static final MapStateDescriptor<String, Boolean> ENDED =
            new MapStateDescriptor<>("ended", Types.STRING, Types.BOOLEAN);
    private static final MapStateDescriptor<String, Long> EPOCHS =
            new MapStateDescriptor<>("epochs", Types.STRING, Types.LONG);

    private final String runId;
    private final BroadcastState<String, Boolean> ended;
    private final BroadcastState<String, Long> epochs;

    TrainingEnd(String runId, OperatorStateStore store) throws Exception {
        this.runId = runId;
        ended = store.getBroadcastState(ENDED);
        epochs = store.getBroadcastState(EPOCHS);
    }

    boolean hasEnded() throws Exception {
        return ended.contains(runId);
    }

    /** Takes a line of the topic of policies; true when it changes whether training has ended. */
    boolean hear(PolicyRecord policy) throws Exception {
        if (!runId.equals(policy.runId())) {
            return false;
        }
        boolean before = hasEnded();
        if (policy.kind() == PolicyRecord.Kind.ANNOUNCE) {
            if (policy.epoch() > newestEpoch()) {
                epochs.put(runId, policy.epoch());
                ended.remove(runId);
            }
        } else if (policy.last() && policy.epoch() >= newestEpoch()) {
            ended.put(runId, true);
        }
        return before != hasEnded();
    }

    private long newestEpoch() throws Exception {
        Long newest = epochs.get(runId);
        return newest == null ? 0 : newest;
    }
}
