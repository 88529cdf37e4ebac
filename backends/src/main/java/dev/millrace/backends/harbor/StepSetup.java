package dev.millrace.backends.harbor;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.backends.port.TaskEnvironment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How the agent's sandbox is prepared for a step.
 *
 * @param step its name
 * @param files for the working folder
 * @param healthcheck when the environment is fit for it; empty when it always is
 * @param timeoutMillis for all of it
 */
record StepSetup(
        String step,
        List<SandboxFile> files,
        Optional<Healthcheck> healthcheck,
        long timeoutMillis) {
    private static final String SCRIPT = "setup.sh";
    private static final int OUTPUT_BYTES = 2000;

    /**
     * Prepares it.
     *
     * @throws SandboxException of kind IMAGE when the script fails or the environment doesn't get
     *     fit
     */
    void run(Sandbox sandbox, String workdir) throws SandboxException {
        long deadline = System.nanoTime() + timeoutMillis * 1_000_000;
        if (!files.isEmpty()) {
            sandbox.putFiles(workdir, files);
        }
        if (files.stream().anyMatch(file -> file.path().equals(SCRIPT))) {
            ExecResult result =
                    sandbox.exec(
                            new ExecRequest(
                                    TaskEnvironment.OWN + "setup",
                                    "bash " + SCRIPT,
                                    workdir,
                                    Map.of(),
                                    timeoutMillis,
                                    OUTPUT_BYTES));
            if (result.exitCode() != 0) {
                throw failed(result);
            }
        }
        if (healthcheck.isPresent()) {
            healthcheck.get().await(sandbox, deadline);
        }
    }

    private SandboxException failed(ExecResult result) {
        String how = result.timedOut() ? result.limitThatFired() : "exit " + result.exitCode();
        String output = new String(result.output(), StandardCharsets.UTF_8).strip();
        return new SandboxException(
                Kind.IMAGE, "step " + step + ": " + SCRIPT + " failed (" + how + "): " + output);
    }
}
