package dev.millrace.operators.step;

import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.PolicyVersion;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeinfo.Types;

/**
 * Which runs train no more: those whose newest version holds all steps, and those that their
 * trainer gave up. A run that is to have more steps than it had, or whose trainer came back or went
 * on from an older state, goes on; the late word of a trainer that was replaced counts for nothing.
 *
 * <p>State, broadcast, by run: the newest published version, the newest announced epoch, and the
 * epoch under which it was given up. The first layout kept a flag.
 */
final class TrainingEnd {
    private static final MapStateDescriptor<String, PolicyVersion> NEWEST =
            new MapStateDescriptor<>("newest", Types.STRING, Types.POJO(PolicyVersion.class));
    private static final MapStateDescriptor<String, Boolean> FIRST_LAYOUT =
            new MapStateDescriptor<>("ended", Types.STRING, Types.BOOLEAN);

    private static final MapStateDescriptor<String, Long> EPOCHS =
            new MapStateDescriptor<>("epochs", Types.STRING, Types.LONG);

    private static final MapStateDescriptor<String, Long> FAILED =
            new MapStateDescriptor<>("failed", Types.STRING, Types.LONG);

    private final BroadcastState<String, PolicyVersion> newest;
    private final BroadcastState<String, Long> failed;
    private final BroadcastState<String, Long> epochs;
    private final BroadcastState<String, Boolean> firstLayout;
    private final List<String> runs;
    private final long steps;

    TrainingEnd(OperatorStateStore store, List<String> runs, long steps) throws Exception {
        this.newest = store.getBroadcastState(NEWEST);
        this.firstLayout = store.getBroadcastState(FIRST_LAYOUT);
        this.epochs = store.getBroadcastState(EPOCHS);
        this.failed = store.getBroadcastState(FAILED);
        this.runs = runs;
        this.steps = steps;
    }

    /** The runs that train no more. */
    Set<String> reached() throws Exception {
        Set<String> reached = new HashSet<>();
        for (String run : runs) {
            if (reached(run)) {
                reached.add(run);
            }
        }
        return reached;
    }

    private boolean reached(String runId) throws Exception {
        Long givenUp = failed.get(runId);
        Long announced = epochs.get(runId);
        if (givenUp != null && (announced == null || givenUp >= announced)) {
            return true;
        }
        PolicyVersion version = newest.get(runId);
        return version == null ? firstLayout.contains(runId) : version.step() >= steps;
    }

    /** Takes a line of the topic of policies. */
    void hear(PolicyRecord policy) throws Exception {
        String runId = policy.runId();
        if (!runs.contains(runId)) {
            return;
        }
        Long announced = epochs.get(runId);
        boolean current = announced == null || policy.epoch() >= announced;
        if (policy.kind() == PolicyRecord.Kind.ANNOUNCE && current) {
            epochs.put(runId, policy.epoch());
        }
        if (policy.kind() == PolicyRecord.Kind.FAILED && current) {
            failed.put(runId, policy.epoch());
        }
        PolicyVersion known = newest.get(runId);
        boolean newer =
                policy.kind() == PolicyRecord.Kind.PUBLICATION
                        && current
                        && (known == null || policy.version().compareTo(known) > 0);
        if (newer) {
            newest.put(runId, policy.version());
        }
    }
}
