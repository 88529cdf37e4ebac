package dev.millrace.backends.harbor;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.backends.port.SandboxProvider;
import dev.millrace.udfs.model.FailureClass;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Grades attempts. The agent's sandbox is never graded in: the files it left in the working folder
 * are carried into a fresh one, so that nothing it planted elsewhere, and no process of it, is
 * there when the tests run; what test runners obey by themselves is the environment's. Code of the
 * agent that the tests run has their rights: what it leaves running is ended before the reward is
 * read, on the host.
 */
public final class HarborVerifier {
    /** Most bytes of an attempt's working folder. */
    public static final long MOST_WORKSPACE_BYTES = 64L << 20;

    private static final String LOGS = "/logs/verifier";
    private static final String BASE = "/tmp/.environment";
    private static final long MOST_LOG_BYTES = 32L << 20;
    private static final int OUTPUT_BYTES = 16_000;
    private static final int TAIL_CHARACTERS = 4000;
    private static final int PREEXISTING = 3;
    private static final int KILLED = 128 + 9;
    private static final int TERMINATED = 128 + 15;
    private static final long PREPARE_MILLIS = 30_000;
    private static final Pattern NETWORK_LOST =
            Pattern.compile(
                    "Could not resolve host|Temporary failure in name resolution|Network is"
                            + " unreachable");

    private final TaskSandbox sandboxes;

    /** Sandboxes come from the provider. */
    public HarborVerifier(SandboxProvider provider) {
        this.sandboxes = new TaskSandbox(provider);
    }

    /** The files of an attempt, to be taken when the agent has ended. */
    public static List<SandboxFile> capture(HarborTask task, Sandbox sandbox)
            throws SandboxException {
        return sandbox.getFiles(task.workdir(), MOST_WORKSPACE_BYTES);
    }

    /**
     * Runs the task's tests on an attempt.
     *
     * @param workspace regular files of the working folder as the agent left them; files of the
     *     environment that are not among them count as deleted
     * @param lease for the sandbox that is used
     */
    public Verdict grade(HarborTask task, List<SandboxFile> workspace, Lease lease) {
        long start = System.nanoTime();
        List<String> flags = new ArrayList<>();
        boolean commands = task.environment().hasCommands();
        Verdict verdict;
        try (Sandbox sandbox = sandboxes.prepare(task, lease, commands)) {
            List<SandboxFile> base =
                    commands ? made(task, sandbox) : task.environment().workdirFiles();
            clear(task, sandbox, commands, flags);
            RunnerFiles.Restored restored = RunnerFiles.restore(task, base, workspace);
            flags.addAll(restored.flags());
            if (!restored.files().isEmpty()) {
                sandbox.putFiles(task.workdir(), restored.files());
            }
            sandbox.putFiles("/tests", task.tests());
            verdict = test(task, sandbox, flags);
        } catch (SandboxException e) {
            FailureClass by = e.policyCaused() ? FailureClass.POLICY : FailureClass.INFRA;
            String cause = "verifier_sandbox_" + e.kind().name().toLowerCase(Locale.ROOT);
            verdict = new Verdict(null, by, cause, List.copyOf(flags), -1, 0, e.getMessage());
        }
        return timed(verdict, start);
    }

    /** Files of a prepared environment that test runners obey. */
    private static List<SandboxFile> made(HarborTask task, Sandbox sandbox)
            throws SandboxException {
        ExecResult copied =
                exec(sandbox, "verify-base", RunnerFiles.copyTo(BASE), task, PREPARE_MILLIS);
        if (copied.exitCode() != 0) {
            throw unprepared("read", copied);
        }
        return sandbox.getFiles(BASE, MOST_WORKSPACE_BYTES);
    }

    private static SandboxException unprepared(String what, ExecResult result) {
        String output = new String(result.output(), StandardCharsets.UTF_8);
        return new SandboxException(
                SandboxException.Kind.IMAGE, "the environment can't be " + what + ": " + output);
    }

    /** What the plan may have put where only the verifier writes, and files the agent deleted. */
    private static void clear(
            HarborTask task, Sandbox sandbox, boolean commands, List<String> flags)
            throws SandboxException {
        if (task.environment().steps().isEmpty()) {
            return;
        }
        String delete =
                commands
                        ? "find . -type f -exec rm -f {} + ; find . -type p -exec rm -f {} + ; "
                        : "";
        String command =
                delete
                        + "code=0; ls /logs/verifier/reward.* >/dev/null 2>&1 && code="
                        + PREEXISTING
                        + "; rm -rf /logs/verifier /tests "
                        + BASE
                        + " && exit $code; exit 1";
        ExecResult result = exec(sandbox, "verify-clear", command, task, PREPARE_MILLIS);
        if (result.exitCode() == PREEXISTING) {
            flags.add("reward_preexisting");
        } else if (result.exitCode() != 0) {
            throw unprepared("cleared", result);
        }
    }

    private static Verdict test(HarborTask task, Sandbox sandbox, List<String> flags)
            throws SandboxException {
        String command = "mkdir -p /logs/verifier /logs/agent /logs/artifacts && /tests/test.sh";
        ExecResult result = exec(sandbox, "verify", command, task, task.verifierTimeoutMillis());
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
                reading.reward(), null, "", List.copyOf(flags), result.exitCode(), 0, tail);
    }

    private static VerifierSeal sealed(HarborTask task, Sandbox sandbox, List<String> flags)
            throws SandboxException {
        ExecRequest request =
                new ExecRequest(
                        "verify-seal",
                        VerifierSeal.SCRIPT,
                        "/",
                        task.verifierEnvironment(),
                        PREPARE_MILLIS,
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

    private static ExecResult exec(
            Sandbox sandbox, String id, String command, HarborTask task, long millis)
            throws SandboxException {
        return sandbox.exec(
                new ExecRequest(
                        id,
                        command,
                        task.workdir(),
                        task.verifierEnvironment(),
                        millis,
                        OUTPUT_BYTES));
    }

    private static Verdict timed(Verdict verdict, long start) {
        long wall = (System.nanoTime() - start) / 1_000_000;
        return new Verdict(
                verdict.reward(),
                verdict.failureClass(),
                verdict.cause(),
                verdict.flags(),
                verdict.exitCode(),
                wall,
                verdict.outputTail());
    }
}
