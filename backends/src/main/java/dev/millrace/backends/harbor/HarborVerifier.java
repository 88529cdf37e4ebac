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
import java.util.Optional;

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

    private static final String BASE = "/tmp/.environment";
    private static final int PREEXISTING = 3;
    private static final String REWARDS =
            "code=0; ls /logs/verifier/reward.* >/dev/null 2>&1 && code=" + PREEXISTING + "; ";
    private static final String MAKE_RUNNABLE = "chmod +x /tests/test.sh 2>/dev/null; ";
    private static final int OUTPUT_BYTES = 16_000;
    private static final long PREPARE_MILLIS = 30_000;

    private final TaskSandbox sandboxes;

    /** Sandboxes come from the provider. */
    public HarborVerifier(SandboxProvider provider) {
        this.sandboxes = new TaskSandbox(provider);
    }

    /**
     * The files of an attempt, to be taken when the agent has ended: those of the working folder
     * and the task's artifacts.
     */
    public static List<SandboxFile> capture(HarborTask task, Sandbox sandbox)
            throws SandboxException {
        return CapturedFiles.of(task, sandbox, MOST_WORKSPACE_BYTES);
    }

    /** Those of the working folder among captured files, by their paths in it. */
    public static List<SandboxFile> workspace(List<SandboxFile> captured) {
        return CapturedFiles.workspace(captured);
    }

    /**
     * Runs the task's tests on an attempt.
     *
     * @param captured files of the attempt as {@link #capture} gives them; files of the environment
     *     that are not among those of the working folder count as deleted
     * @param lease for the sandbox that is used
     */
    public Verdict grade(HarborTask task, List<SandboxFile> captured, Lease lease) {
        long start = System.nanoTime();
        Verdict verdict =
                task.hasSteps()
                        ? StepRewards.of(
                                task.stepPlan(),
                                StepFiles.split(captured),
                                (step, files) -> gradeWhole(step.graded(), files, lease))
                        : gradeWhole(task, captured, lease);
        return timed(verdict, start);
    }

    private Verdict gradeWhole(HarborTask task, List<SandboxFile> captured, Lease lease) {
        List<String> flags = new ArrayList<>();
        try {
            Optional<EnvironmentSpec> separate = task.verifier().separate();
            return separate.isPresent()
                    ? gradeSeparately(task, separate.get(), captured, lease, flags)
                    : gradeInEnvironment(task, captured, lease, flags);
        } catch (SandboxException e) {
            FailureClass by = e.policyCaused() ? FailureClass.POLICY : FailureClass.INFRA;
            String cause = "verifier_sandbox_" + e.kind().name().toLowerCase(Locale.ROOT);
            return new Verdict(null, by, cause, List.copyOf(flags), -1, 0, e.getMessage());
        }
    }

    private Verdict gradeInEnvironment(
            HarborTask task, List<SandboxFile> captured, Lease lease, List<String> flags)
            throws SandboxException {
        boolean whole = task.environment().hasCommands() || task.healthcheck().isPresent();
        try (Sandbox sandbox = sandboxes.prepareTests(task, lease, whole)) {
            List<SandboxFile> base =
                    new ArrayList<>(
                            task.environment().hasCommands()
                                    ? made(task, sandbox)
                                    : task.environment().workdirFiles());
            base.addAll(task.stepPlan().given());
            if (whole || !task.environment().steps().isEmpty()) {
                clear(task, sandbox, whole, flags);
            }
            List<SandboxFile> workspace = CapturedFiles.workspace(captured);
            RunnerFiles.Restored restored = RunnerFiles.restore(task, base, workspace);
            flags.addAll(restored.flags());
            if (!restored.files().isEmpty()) {
                sandbox.putFiles(task.workdir(), restored.files());
            }
            CarriedArtifacts.put(task, captured, sandbox, task.workdir(), flags);
            sandbox.putFiles("/tests", task.tests());
            return TestScript.run(task, sandbox, "", flags);
        }
    }

    /** With tests that are there already; of the attempt there are only its artifacts. */
    private Verdict gradeSeparately(
            HarborTask task,
            EnvironmentSpec environment,
            List<SandboxFile> captured,
            Lease lease,
            List<String> flags)
            throws SandboxException {
        try (Sandbox sandbox = sandboxes.prepareSeparate(task, environment, lease)) {
            wipe(sandbox, task, REWARDS + "rm -rf /logs/verifier && exit $code; exit 1", flags);
            String workdir = environment.plan().workdir();
            CarriedArtifacts.put(task, captured, sandbox, workdir, flags);
            return TestScript.run(task, sandbox, MAKE_RUNNABLE, flags);
        }
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
    private static void clear(HarborTask task, Sandbox sandbox, boolean whole, List<String> flags)
            throws SandboxException {
        String delete =
                whole ? "find . -type f -exec rm -f {} + ; find . -type p -exec rm -f {} + ; " : "";
        String rest = "rm -rf /logs/verifier /tests " + BASE + " && exit $code; exit 1";
        wipe(sandbox, task, delete + REWARDS + rest, flags);
    }

    private static void wipe(Sandbox sandbox, HarborTask task, String command, List<String> flags)
            throws SandboxException {
        ExecResult result = exec(sandbox, "verify-clear", command, task, PREPARE_MILLIS);
        if (result.exitCode() == PREEXISTING) {
            flags.add("reward_preexisting");
        } else if (result.exitCode() != 0) {
            throw unprepared("cleared", result);
        }
    }

    private static ExecResult exec(
            Sandbox sandbox, String id, String command, HarborTask task, long millis)
            throws SandboxException {
        return sandbox.exec(
                new ExecRequest(id, command, "", task.verifierEnvironment(), millis, OUTPUT_BYTES));
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
                verdict.outputTail(),
                verdict.rewards());
    }
}
