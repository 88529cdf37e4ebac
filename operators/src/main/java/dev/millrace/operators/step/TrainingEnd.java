package dev.millrace.operators.step;

import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.PolicyVersion;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeinfo.Types;

/**
 * Whether a run has trained all its steps: its newest version holds them. A run that is to have
 * more steps than it had, or whose trainer went on from an older state, goes on; the late word of a
 * trainer that was replaced counts for nothing.
 *
 * <p>State, broadcast: the newest version of the run, published or forked from. The first layout
 * kept a flag.
 */
final class TrainingEnd {
    private static final MapStateDescriptor<String, PolicyVersion> NEWEST =
            new MapStateDescriptor<>("newest", Types.STRING, Types.POJO(PolicyVersion.class));
    private static final MapStateDescriptor<String, Boolean> FIRST_LAYOUT =
            new MapStateDescriptor<>("ended", Types.STRING, Types.BOOLEAN);

    private final BroadcastState<String, PolicyVersion> newest;
    private final BroadcastState<String, Boolean> firstLayout;
    private final String runId;
    private final long steps;

    TrainingEnd(OperatorStateStore store, String runId, long steps) throws Exception {
        this.newest = store.getBroadcastState(NEWEST);
        this.firstLayout = store.getBroadcastState(FIRST_LAYOUT);
        this.runId = runId;
        this.steps = steps;
    }

    boolean reached() throws Exception {
        PolicyVersion version = newest.get(runId);
        return version == null ? firstLayout.contains(runId) : version.step() >= steps;
    }

    /**
     * Takes a line of the topic of policies. An announcement counts as the version that its trainer
     * goes on from.
     */
    void hear(PolicyRecord policy) throws Exception {
        PolicyVersion known = newest.get(runId);
        boolean newer =
                runId.equals(policy.runId())
                        && (known == null || policy.version().compareTo(known) > 0);
        if (newer) {
            newest.put(runId, policy.version());
        }
    }
}
