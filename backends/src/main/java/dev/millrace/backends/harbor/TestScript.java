package dev.millrace.backends.harbor;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.udfs.model.FailureClass;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Runs a test script in a sandbox that is ready for it, and judges how that ended. */
final class TestScript {
    private static final String LOGS = "/logs/verifier";
    private static final long MOST_LOG_BYTES = 32L << 20;
    private static final int OUTPUT_BYTES = 16_000;
    private static final int TAIL_CHARACTERS = 4000;
    private static final int KILLED = 128 + 9;
    private static final int TERMINATED = 128 + 15;
    private static final long SEAL_MILLIS = 30_000;
    private static final Pattern NETWORK_LOST =
            Pattern.compile(
                    "Could not resolve host|Temporary failure in name resolution|Network is"
                            + " unreachable");

    private TestScript() {}

    /**
     * Runs it and reads its reward.
     *
     * @param before shell text that is run first
     * @param flags gets what a reader should know besides
     */
    static Verdict run(HarborTask task, Sandbox sandbox, String before, List<String> flags)
            throws SandboxException {
        String folders = "mkdir -p /logs/verifier /logs/agent /logs/artifacts && ";
        String command = before + folders + "/tests/test.sh";
        ExecResult result =
                sandbox.exec(
                        new ExecRequest(
                                "verify",
                                command,
                                "",
                                task.verifierEnvironment(),
                                task.verifierTimeoutMillis(),
                                OUTPUT_BYTES));
        String output = new String(result.output(), StandardCharsets.UTF_8);
        String tail = output.substring(Math.max(0, output.length() - TAIL_CHARACTERS));
        if (NETWORK_LOST.matcher(output).find()) {
            flags.add("tests_wanted_network");
        }
        if (result.oomKilled()) {
            flags.add("tests_ran_out_of_memory");
        }
        if (result.timedOut()) {
            // A reward that was written before the limit is not to be trusted.
            String what = result.limitThatFired() + "\n" + tail;
            return failed(FailureClass.VERIFIER, "verifier_timeout", flags, -1, what);
        }
        String spoilt = spoilt(result, sealed(task, sandbox, flags));
        if (!spoilt.isEmpty()) {
            return failed(FailureClass.POLICY, spoilt, flags, result.exitCode(), tail);
        }
        List<SandboxFile> logs = sandbox.getFiles(LOGS, MOST_LOG_BYTES);
        RewardReading reading = RewardReading.of(RewardFiles.own(task, logs, flags));
        flags.addAll(reading.flags());
        if (reading.reward() == null) {
            boolean notRun = result.exitCode() == 126 || result.exitCode() == 127;
            boolean missing = reading.cause().equals(RewardReading.MISSING);
            String cause = notRun && missing ? "verifier_not_executable" : reading.cause();
            return failed(FailureClass.VERIFIER, cause, flags, result.exitCode(), tail);
        }
        if (result.exitCode() != 0 && reading.reward() > 0) {
            flags.add("exit_code_disagrees");
        }
        return new Verdict(
                reading.reward(),
                null,
                "",
                List.copyOf(flags),
                result.exitCode(),
                0,
                tail,
                Map.copyOf(reading.numbers()));
    }

    private static VerifierSeal sealed(HarborTask task, Sandbox sandbox, List<String> flags)
            throws SandboxException {
        ExecRequest request =
                new ExecRequest(
                        "verify-seal",
                        VerifierSeal.SCRIPT,
                        "/",
                        task.verifierEnvironment(),
                        SEAL_MILLIS,
                        OUTPUT_BYTES);
        VerifierSeal seal = VerifierSeal.of(sandbox.exec(request).exitCode());
        if (seal == VerifierSeal.LEFT_PROCESSES) {
            flags.add("tests_left_processes");
        }
        return seal;
    }

    /** How code of the agent that the tests ran got in their way; empty when it didn't. */
    private static String spoilt(ExecResult tests, VerifierSeal seal) {
        if (tests.exitCode() == KILLED || tests.exitCode() == TERMINATED) {
            return tests.oomKilled()
                    ? "verifier_out_of_memory"
                    : tests.limitThatFired().isEmpty()
                            ? "verifier_killed"
                            : "verifier_output_limit";
        }
        return switch (seal) {
            case TAMPERED -> "reward_tampered";
            case NOT_QUIET -> "verifier_not_quiet";
            case QUIET, LEFT_PROCESSES -> "";
        };
    }

    private static Verdict failed(
            FailureClass by, String cause, List<String> flags, int exitCode, String tail) {
        return new Verdict(null, by, cause, List.copyOf(flags), exitCode, 0, tail);
    }
}
