package dev.millrace.operators.watch;

import dev.millrace.udfs.model.Reject;

/**
 * A subtask that has work and does not move.
 *
 * @param runId the run
 * @param stage which stage
 * @param subtask which parallel instance of it
 * @param millis how long nothing moved
 * @param oldestEffect the effect that is under way for longest, empty when none is
 * @param oldestEffectMillis since when
 * @param threadMillis how long the task thread has been inside the stage's code; 0 when it is idle
 * @param threadAt where it is there, empty when it is idle
 */
public record NoProgress(
        String runId,
        String stage,
        int subtask,
        long millis,
        String oldestEffect,
        long oldestEffectMillis,
        long threadMillis,
        String threadAt) {

    /** Reason under which it is reported. */
    public static final String REASON = "no_progress";

    /** As it goes into the topic {@code rejects}. */
    public Reject toReject() {
        return new Reject(runId, stage, REASON, "subtask " + subtask, detail());
    }

    /** In words. */
    public String detail() {
        StringBuilder text = new StringBuilder("nothing moved for " + millis + " ms");
        if (!oldestEffect.isEmpty()) {
            text.append("; oldest effect ")
                    .append(oldestEffect)
                    .append(" since ")
                    .append(oldestEffectMillis)
                    .append(" ms");
        }
        if (!threadAt.isEmpty()) {
            text.append("; the task thread is at ")
                    .append(threadAt)
                    .append(" since ")
                    .append(threadMillis)
                    .append(" ms");
        }
        return text.toString();
    }
}
