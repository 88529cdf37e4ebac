package dev.millrace.udfs.admission;

import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.GroupRecord;

/**
 * What a closed training group says of its task.
 *
 * @param groupIndex of the group
 * @param taskId of the task
 * @param solved attempts with the full reward
 * @param graded attempts with a verdict
 */
record ClosedTry(long groupIndex, String taskId, int solved, int graded) {

    static ClosedTry of(GroupRecord group) {
        int solved = 0;
        int graded = 0;
        for (AttemptSummary attempt : group.attempts()) {
            graded += attempt.valid() ? 1 : 0;
            solved += attempt.valid() && attempt.reward() >= 1 ? 1 : 0;
        }
        return new ClosedTry(group.groupIndex(), group.task().taskId(), solved, graded);
    }
}
