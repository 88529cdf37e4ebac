package dev.millrace.backends.harbor;

import dev.millrace.backends.port.SandboxFile;
import dev.millrace.backends.port.SandboxLimits;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A task that has been read and can be run: nothing of it is unsupported.
 *
 * @param name from its file, or its folder's name
 * @param folder where it was read from
 * @param instruction what the agent is told
 * @param agentTimeoutMillis of the agent phase; 0 when the task sets none
 * @param verifierTimeoutMillis of the test script
 * @param verifierEnvironment variables for the test script
 * @param solutionEnvironment variables for the reference solution
 * @param environment how its sandbox is prepared
 * @param limits resources of its sandboxes
 * @param agentUser whom the agent's commands run as; empty for the provider's own
 * @param healthcheck when the environment is fit for use; empty when it always is
 * @param verifier where and as whom the tests run
 * @param artifacts files beside the working folder that belong to an attempt's result
 * @param stepPlan its steps, when it has several
 * @param tests what goes to {@code /tests}
 * @param solution what goes to {@code /solution}; empty when the task has none
 * @param notes where it is run in another way than it asks for, in words
 */
public record HarborTask(
        String name,
        Path folder,
        String instruction,
        long agentTimeoutMillis,
        long verifierTimeoutMillis,
        Map<String, String> verifierEnvironment,
        Map<String, String> solutionEnvironment,
        EnvironmentPlan environment,
        SandboxLimits limits,
        String agentUser,
        Optional<Healthcheck> healthcheck,
        VerifierPhase verifier,
        List<Artifact> artifacts,
        StepPlan stepPlan,
        List<SandboxFile> tests,
        List<SandboxFile> solution,
        List<String> notes) {

    /** Folder where commands start and whose files are the attempt's result. */
    public String workdir() {
        return environment.workdir();
    }

    /** Whether it gives several instructions, one after the other. */
    public boolean hasSteps() {
        return !stepPlan.steps().isEmpty();
    }

    /** The same task with steps. */
    HarborTask with(String instructions, List<SandboxFile> solutions, StepPlan plan) {
        return asStep(
                instructions,
                agentTimeoutMillis,
                verifierTimeoutMillis,
                verifierEnvironment,
                verifier,
                artifacts,
                tests,
                solutions,
                plan);
    }

    /** One of its steps as a task of its own, in the same environment. */
    HarborTask asStep(
            String instructions,
            long agentMillis,
            long verifierMillis,
            Map<String, String> verifierVariables,
            VerifierPhase phase,
            List<Artifact> all,
            List<SandboxFile> itsTests,
            List<SandboxFile> solutions,
            StepPlan plan) {
        return new HarborTask(
                name,
                folder,
                instructions,
                agentMillis,
                verifierMillis,
                verifierVariables,
                solutionEnvironment,
                environment,
                limits,
                agentUser,
                healthcheck,
                phase,
                all,
                plan,
                itsTests,
                solutions,
                notes);
    }

    /** The same task with a test script that runs no longer than that. */
    HarborTask withVerifierTimeout(long mostMillis) {
        return new HarborTask(
                name,
                folder,
                instruction,
                agentTimeoutMillis,
                Math.min(verifierTimeoutMillis, mostMillis),
                verifierEnvironment,
                solutionEnvironment,
                environment,
                limits,
                agentUser,
                healthcheck,
                verifier,
                artifacts,
                stepPlan.withVerifierTimeout(mostMillis),
                tests,
                solution,
                notes);
    }
}
