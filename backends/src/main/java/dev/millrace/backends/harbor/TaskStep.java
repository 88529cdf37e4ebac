package dev.millrace.backends.harbor;

import dev.millrace.backends.port.SandboxFile;
import java.util.List;
import java.util.Map;

/**
 * One of several steps of a task.
 *
 * @param name of the step
 * @param instruction what the agent is told
 * @param setup how the agent's sandbox is prepared for it
 * @param graded the step as a task of its own: its tests with those of the whole task, and what the
 *     instructions and solutions up to here name
 * @param solution what goes to {@code /solution}; empty when the step has none
 * @param minimum least rewards by name with which the attempt goes on
 */
record TaskStep(
        String name,
        String instruction,
        StepSetup setup,
        HarborTask graded,
        List<SandboxFile> solution,
        Map<String, Double> minimum) {

    /** The same, graded otherwise. */
    TaskStep with(HarborTask other) {
        return new TaskStep(name, instruction, setup, other, solution, minimum);
    }

    /** Whether an attempt that got this verdict goes on. */
    boolean isPassed(Verdict verdict) {
        return minimum.entrySet().stream()
                .allMatch(
                        least ->
                                verdict.graded()
                                        && verdict.rewards()
                                                        .getOrDefault(
                                                                least.getKey(),
                                                                Double.NEGATIVE_INFINITY)
                                                >= least.getValue());
    }
}
