package dev.millrace.backends.harbor;

import dev.millrace.backends.port.SandboxFile;
import java.util.List;

/**
 * The steps of a task.
 *
 * @param steps in order; empty for a task that is one step
 * @param onlyLast whether the reward is that of the last step that was reached, and not the mean
 * @param given of a step that is graded as a task of its own: files that the working folder was
 *     given by the steps up to it
 */
record StepPlan(List<TaskStep> steps, boolean onlyLast, List<SandboxFile> given) {
    /** Of a task that is one step. */
    static final StepPlan NONE = new StepPlan(List.of(), false, List.of());

    /** With test scripts that together run no longer than that. */
    StepPlan withVerifierTimeout(long mostMillis) {
        long each = mostMillis / Math.max(1, steps.size());
        List<TaskStep> shorter =
                steps.stream()
                        .map(step -> step.with(step.graded().withVerifierTimeout(each)))
                        .toList();
        return new StepPlan(shorter, onlyLast, given);
    }
}
