package dev.millrace.udfs.minibatch;

import dev.millrace.udfs.group.IndexSet;
import dev.millrace.udfs.model.ProgressRecord;
import java.util.List;

/**
 * A {@link BatchBook} on the wire.
 *
 * @param epoch under which it acts; 0 before the first
 * @param step that is being filled, from 0
 * @param minibatch of that step that is being filled, from 0
 * @param seen groups whose first record has passed
 * @param filling groups of the minibatch that is being filled
 * @param decided what was said about groups since the step began
 * @param order closed groups that wait for groups before them, in lockstep
 * @param drained whether the mark behind the last group has passed
 */
public record BatchState(
        long epoch,
        long step,
        int minibatch,
        IndexSet.State seen,
        List<TakenGroup> filling,
        List<ProgressRecord> decided,
        GroupOrder.State order,
        boolean drained) {
    /** Fills in what a state does not know that was kept before groups were put in order. */
    public BatchState {
        order = order == null ? GroupOrder.State.empty() : order;
    }

    /** Before anything happened. */
    public static BatchState empty() {
        return new BatchState(
                0, 0, 0, new IndexSet.State(0, List.of()), List.of(), List.of(), null, false);
    }
}
