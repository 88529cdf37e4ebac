package dev.millrace.udfs.admission;

import dev.millrace.udfs.grading.GradingMachine;
import dev.millrace.udfs.grading.TruncatedReward;
import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.GroupRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * Tasks whose verifiers give no verdict: after so many gradings in a row without one no group of
 * the task begins for a while. The first group afterwards shows whether the verifier is mended; one
 * more failure closes the task again, a verdict forgets all.
 *
 * <p>It goes by closed groups, in the order of their topic and of the attempts in each.
 */
final class TaskQuarantine {
    private final AdmissionSettings settings;
    private final AdmissionState state;
    private final List<GroupRecord> refused = new ArrayList<>();
    private long now;

    TaskQuarantine(AdmissionSettings settings, AdmissionState state) {
        this.settings = settings;
        this.state = state;
    }

    /** What the clock says, milliseconds. */
    void at(long nowMillis) {
        now = nowMillis;
    }

    /** A group was closed, for the first time. */
    void heard(GroupRecord group) {
        if (settings.quarantineAfter() > 0 && group.task() != null) {
            group.attempts().forEach(attempt -> heard(group.task().taskId(), attempt));
        }
    }

    private void heard(String taskId, AttemptSummary attempt) {
        if (isVerdict(attempt)) {
            state.forgetFailures(taskId);
        } else if (isVerifiersFault(attempt.failure())) {
            TaskFailures failures = state.failures(taskId);
            failures.inARow++;
            if (failures.inARow >= settings.quarantineAfter()) {
                failures.closedUntil = now + settings.quarantineMillis();
            }
        }
    }

    /** Whether no group of the task should begin now. */
    boolean closed(String taskId) {
        TaskFailures failures = state.taskFailures.get(taskId);
        return failures != null && now < failures.closedUntil;
    }

    /** How many tasks are closed. */
    long size() {
        return state.taskFailures.keySet().stream().filter(this::closed).count();
    }

    /** Notes that a group is not played, since its task is closed; true. */
    boolean refuse(GroupEntry due) {
        due.emit = false;
        due.attempts.clear();
        state.touch(due);
        return refused.add(
                GroupRecord.notPlayed(
                        settings.runId(),
                        due.lane,
                        due.groupId,
                        due.index,
                        due.admissionId,
                        due.task,
                        due.policy,
                        due.evalRound,
                        due.temperature == 0,
                        Failure.TASK_QUARANTINED));
    }

    /** What is to be written of groups that are not played, each once. */
    List<GroupRecord> takeRefused() {
        List<GroupRecord> taken = List.copyOf(refused);
        refused.clear();
        return taken;
    }

    /** What is not graded since its task is closed says nothing new of the verifier. */
    private static boolean isVerifiersFault(Failure failure) {
        return failure != null
                && failure.failureClass() == FailureClass.VERIFIER
                && !failure.cause().equals(Failure.TASK_QUARANTINED);
    }

    /** Some rewards are given without asking the verifier. */
    private static boolean isVerdict(AttemptSummary attempt) {
        List<String> flags = attempt.flags() == null ? List.of() : attempt.flags();
        return attempt.valid()
                && !flags.contains(GradingMachine.NOTHING_TO_GRADE)
                && !flags.contains(TruncatedReward.TRUNCATED);
    }
}
