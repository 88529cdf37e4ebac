package dev.millrace.backends.repair;

import dev.millrace.backends.harbor.HarborTask;
import dev.millrace.backends.harbor.HarborVerifier;
import dev.millrace.backends.harbor.TaskSandbox;
import dev.millrace.backends.harbor.Verdict;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.backends.port.SandboxProvider;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.testlog.TestVerdict;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Grades repairs in fresh sandboxes: the repository as it was, then the repair, then the tests'
 * files as they should be, whatever the repair did to them, then the tests. Their output is read on
 * this side. 1 for a repair that makes all tests end as they have to, else 0; no reward where the
 * output can't be believed and the repair is not to blame.
 */
public final class RepairVerifier {
    private static final int TAIL_CHARACTERS = 4000;

    private final TaskSandbox sandboxes;

    /** What a repair is made of: a diff, or the files it left. */
    private interface Repair {
        boolean apply(GradingSandbox sandbox) throws SandboxException;
    }

    /** Sandboxes come from the provider. */
    public RepairVerifier(SandboxProvider provider) {
        this.sandboxes = new TaskSandbox(provider);
    }

    /**
     * Grades a diff.
     *
     * @param patch empty for no repair at all
     */
    public RepairVerdict gradePatch(HarborTask task, byte[] patch, Lease lease) {
        return grade(task, lease, sandbox -> patch.length == 0 || sandbox.applyRepair(patch));
    }

    /**
     * Grades the captured files of an attempt; those of the repository that are not among them
     * count as deleted.
     */
    public RepairVerdict gradeWorkspace(HarborTask task, List<SandboxFile> captured, Lease lease) {
        return grade(
                task,
                lease,
                sandbox -> {
                    sandbox.replaceFiles(HarborVerifier.workspace(captured));
                    return true;
                });
    }

    private RepairVerdict grade(HarborTask task, Lease lease, Repair repair) {
        long start = System.nanoTime();
        List<String> flags = new ArrayList<>();
        RepairVerdict result;
        try (Sandbox sandbox = sandboxes.prepare(task, lease)) {
            RepairSpec spec = RepairSpec.of(task);
            result = grade(new GradingSandbox(sandbox, task, spec), task, spec, repair, flags);
        } catch (SandboxException e) {
            FailureClass by = e.policyCaused() ? FailureClass.POLICY : FailureClass.INFRA;
            String cause = "verifier_sandbox_" + e.kind().name().toLowerCase(Locale.ROOT);
            result = without(by, cause, flags, e.getMessage());
        }
        Verdict verdict = result.verdict();
        long wall = (System.nanoTime() - start) / 1_000_000;
        return new RepairVerdict(
                new Verdict(
                        verdict.reward(),
                        verdict.failureClass(),
                        verdict.cause(),
                        List.copyOf(flags),
                        verdict.exitCode(),
                        wall,
                        verdict.outputTail()),
                result.notRepaired(),
                result.broken());
    }

    private static RepairVerdict grade(
            GradingSandbox sandbox,
            HarborTask task,
            RepairSpec spec,
            Repair repair,
            List<String> flags)
            throws SandboxException {
        sandbox.keepBase();
        if (!repair.apply(sandbox)) {
            flags.add("patch_does_not_apply");
            return worthNothing(spec, "");
        }
        switch (sandbox.placeTests()) {
            case PLACED -> {}
            case UNFIT -> {
                String cause = "test_patch_does_not_apply";
                return without(FailureClass.VERIFIER, cause, flags, "");
            }
            case IN_THE_WAY -> {
                flags.add("test_files_blocked");
                return worthNothing(spec, "");
            }
        }
        ExecResult run = sandbox.runTests(task.verifierTimeoutMillis());
        return judge(spec, run, flags);
    }

    private static RepairVerdict judge(RepairSpec spec, ExecResult run, List<String> flags) {
        String log = new String(run.output(), StandardCharsets.UTF_8);
        String tail = log.substring(Math.max(0, log.length() - TAIL_CHARACTERS));
        if (run.oomKilled()) {
            flags.add("tests_ran_out_of_memory");
        }
        if (run.totalOutputBytes() > run.output().length) {
            flags.add("log_truncated");
        }
        if (run.timedOut()) {
            // The reference repair ends in time: what does not is the repair's own doing.
            flags.add("tests_timed_out");
            return worthNothing(spec, tail);
        }
        TestVerdict verdict =
                TestVerdict.of(spec.expected(), spec.parser().parse(log), run.exitCode());
        return switch (verdict.outcome()) {
            case RESOLVED -> graded(1.0, run.exitCode(), verdict, tail);
            case UNRESOLVED -> graded(0.0, run.exitCode(), verdict, tail);
            case UNTRUSTED -> without(FailureClass.VERIFIER, verdict.cause(), flags, tail);
        };
    }

    private static RepairVerdict graded(
            double reward, int exitCode, TestVerdict verdict, String tail) {
        return new RepairVerdict(
                new Verdict(reward, null, "", List.of(), exitCode, 0, tail),
                verdict.notRepaired(),
                verdict.broken());
    }

    private static RepairVerdict worthNothing(RepairSpec spec, String tail) {
        return new RepairVerdict(
                new Verdict(0.0, null, "", List.of(), -1, 0, tail),
                spec.expected().failToPass(),
                List.of());
    }

    private static RepairVerdict without(
            FailureClass by, String cause, List<String> flags, String tail) {
        return new RepairVerdict(
                new Verdict(null, by, cause, List.copyOf(flags), -1, 0, tail),
                List.of(),
                List.of());
    }
}
