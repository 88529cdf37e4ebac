package dev.millrace.udfs.admission;

import dev.millrace.udfs.model.Task;
import java.util.List;
import java.util.Map;

/**
 * Entries of an {@link AdmissionState} that are new, changed or gone.
 *
 * @param firstTrainTask position of the first of the new tasks
 * @param trainTasks new tasks to learn from
 * @param firstEvalTask position of the first of the new held-out tasks
 * @param evalTasks new held-out tasks
 * @param rows by their number; null for one that is gone
 * @param groups by id; null for one that is gone
 * @param rounds by step
 * @param taskRates by position of the task
 * @param taskFailures by id of the task; null for one that is gone
 */
public record AdmissionChanges(
        int firstTrainTask,
        List<Task> trainTasks,
        int firstEvalTask,
        List<Task> evalTasks,
        Map<Long, Task> rows,
        Map<String, GroupEntry> groups,
        Map<Long, EvalRound> rounds,
        Map<Integer, TaskRate> taskRates,
        Map<String, TaskFailures> taskFailures) {
    /** How many entries there are to write. */
    public int size() {
        return trainTasks.size()
                + evalTasks.size()
                + rows.size()
                + groups.size()
                + rounds.size()
                + taskRates.size()
                + taskFailures.size();
    }
}
