package dev.millrace.jobs.dataset;

import java.util.List;

/**
 * What a check found out about a task.
 *
 * @param instanceId names the task
 * @param status what it is good for
 * @param reason why it is not gradeable; empty when it is
 * @param oracle rewards of the reference repair, one for each run; null where there was none
 * @param nop reward of doing nothing; null where there was none
 * @param slowestMillis longest grading
 * @param runs how often the reference repair was to be graded
 */
public record TaskState(
        String instanceId,
        Status status,
        String reason,
        List<Double> oracle,
        Double nop,
        long slowestMillis,
        int runs) {

    /** What a task is good for. */
    public enum Status {
        /** Its reference repair is worth 1, doing nothing is worth less. */
        GRADEABLE,
        /** That, but grading takes long. */
        SLOW,
        /** Its reference repair is worth 1 in some runs only. */
        FLAKY,
        /** Anything else. */
        BROKEN,
        /** Infrastructure failed: nothing is known. */
        UNKNOWN
    }
}
