package dev.millrace.backends.harbor;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.backends.port.SandboxProvider;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The two checks every task needs before it is used: its own solution is worth 1, doing nothing is
 * not.
 */
public final class TaskCheck {
    private static final long DEFAULT_AGENT_MILLIS = 600_000;
    private static final int OUTPUT_BYTES = 4000;

    private final TaskSandbox sandboxes;
    private final HarborVerifier verifier;
    private final String owner;

    /**
     * @param owner label of the sandboxes that are used
     */
    public TaskCheck(SandboxProvider provider, String owner) {
        this.sandboxes = new TaskSandbox(provider);
        this.verifier = new HarborVerifier(provider);
        this.owner = owner;
    }

    /** Reads a task and checks it; one that can't be read is reported like one that fails. */
    public TaskReport check(HarborTaskLoader loader, Path folder) {
        try {
            return check(loader.load(folder));
        } catch (HarborTaskException e) {
            String name = folder.getFileName().toString();
            return new TaskReport(name, false, e.getMessage(), null, null, List.of());
        }
    }

    /** Checks a task. */
    public TaskReport check(HarborTask task) {
        String unsolved = unsolved(task);
        if (!unsolved.isEmpty()) {
            return report(task, unsolved, null, null);
        }
        try {
            Verdict nop = verifier.grade(task, attempt(task, false), lease(task, "nop"));
            if (nop.graded() && nop.reward() >= 1) {
                return report(task, "doing nothing is worth " + nop.reward(), null, nop);
            }
            Verdict oracle = verifier.grade(task, attempt(task, true), lease(task, "oracle"));
            if (!oracle.graded()) {
                return report(task, "its solution gets no reward: " + oracle.cause(), oracle, nop);
            }
            if (oracle.reward() < 1) {
                String reason = "its solution is worth only " + oracle.reward();
                return report(task, reason, oracle, nop);
            }
            return report(task, "", oracle, nop);
        } catch (SandboxException e) {
            return report(task, e.getMessage(), null, null);
        }
    }

    private static String unsolved(HarborTask task) {
        if (!task.hasSteps()) {
            return task.solution().isEmpty() ? "it has no solution/solve.sh" : "";
        }
        return task.stepPlan().steps().stream()
                .filter(step -> step.solution().isEmpty())
                .map(step -> "step " + step.name() + " has no solution/solve.sh")
                .findFirst()
                .orElse("");
    }

    private List<SandboxFile> attempt(HarborTask task, boolean solve) throws SandboxException {
        try (Sandbox sandbox = sandboxes.prepare(task, lease(task, "attempt"))) {
            if (task.hasSteps()) {
                return steps(task, sandbox, solve);
            }
            if (solve) {
                solve(task, task.solution(), sandbox);
            }
            return HarborVerifier.capture(task, sandbox);
        }
    }

    /** Plays all steps; those that follow one below its minimum are not looked at. */
    private static List<SandboxFile> steps(HarborTask task, Sandbox sandbox, boolean solve)
            throws SandboxException {
        List<List<SandboxFile>> ends = new ArrayList<>();
        for (TaskStep step : task.stepPlan().steps()) {
            if (!ends.isEmpty()) {
                step.setup().run(sandbox, task.workdir());
            }
            if (solve) {
                solve(step.graded(), step.solution(), sandbox);
            }
            ends.add(HarborVerifier.capture(step.graded(), sandbox));
        }
        return StepFiles.join(ends);
    }

    private static void solve(HarborTask task, List<SandboxFile> solution, Sandbox sandbox)
            throws SandboxException {
        sandbox.putFiles("/solution", solution);
        long asked = task.agentTimeoutMillis();
        ExecResult result =
                sandbox.exec(
                        new ExecRequest(
                                "solve",
                                "/solution/solve.sh; code=$?; rm -rf /solution; exit $code",
                                "",
                                task.solutionEnvironment(),
                                asked == 0 ? DEFAULT_AGENT_MILLIS : asked,
                                OUTPUT_BYTES));
        if (result.exitCode() != 0) {
            String what = result.timedOut() ? result.limitThatFired() : "exit " + result.exitCode();
            String output = new String(result.output(), StandardCharsets.UTF_8).strip();
            throw new SandboxException(
                    SandboxException.Kind.IMAGE, "its solution fails (" + what + "): " + output);
        }
    }

    private Lease lease(HarborTask task, String use) {
        return Lease.of(owner + "/check/" + task.name() + "/" + use, owner);
    }

    private static TaskReport report(HarborTask task, String reason, Verdict oracle, Verdict nop) {
        return new TaskReport(task.name(), reason.isEmpty(), reason, oracle, nop, task.notes());
    }
}
