package dev.millrace.jobs.dataset;

import dev.millrace.backends.harbor.HarborTask;
import dev.millrace.backends.harbor.HarborTaskException;
import dev.millrace.backends.harbor.HarborTaskLoader;
import dev.millrace.backends.harbor.Verdict;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxProvider;
import dev.millrace.backends.repair.RepairSpec;
import dev.millrace.backends.repair.RepairVerdict;
import dev.millrace.backends.repair.RepairVerifier;
import dev.millrace.jobs.dataset.TaskState.Status;
import dev.millrace.udfs.model.FailureClass;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Checks one task: its reference repair, several times, and doing nothing. */
final class TaskChecker {
    private static final String OWNER = "dataset-check";
    private static final int MOST_TRIES = 3;

    private final HarborTaskLoader loader;
    private final RepairVerifier verifier;
    private final int runs;
    private final double slowShare;

    /**
     * @param runs how often the reference repair is graded
     * @param slowShare of the time that the tests may take; what takes longer is slow
     */
    TaskChecker(HarborTaskLoader loader, SandboxProvider provider, int runs, double slowShare) {
        this.loader = loader;
        this.verifier = new RepairVerifier(provider);
        this.runs = runs;
        this.slowShare = slowShare;
    }

    TaskState check(String id, Path folder) {
        HarborTask task;
        byte[] solution;
        try {
            task = loader.load(folder);
            if (!RepairSpec.concerns(task)) {
                return state(id, Status.BROKEN, "it has no tests/config.json and test.patch");
            }
            solution = RepairSpec.of(task).solution();
        } catch (HarborTaskException | SandboxException e) {
            return state(id, Status.BROKEN, e.getMessage());
        }
        if (solution.length == 0) {
            return state(id, Status.BROKEN, "it has no reference repair");
        }
        if (task.environment().steps().isEmpty()) {
            return state(
                    id,
                    Status.BROKEN,
                    "its image can't be had on this host, and it was prepared without"
                            + " --repositories");
        }
        return check(id, task, solution);
    }

    private TaskState check(String id, HarborTask task, byte[] solution) {
        RepairVerdict nop = grade(task, new byte[0], id + "/nop");
        List<RepairVerdict> oracle = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            oracle.add(grade(task, solution, id + "/oracle" + run));
        }
        long slowest = oracle.stream().mapToLong(run -> run.verdict().wallMillis()).max().orElse(0);
        List<Double> rewards = new ArrayList<>();
        oracle.forEach(run -> rewards.add(run.verdict().reward()));
        Status status = status(nop.verdict(), oracle, slowest, task.verifierTimeoutMillis());
        return new TaskState(
                id,
                status,
                status == Status.GRADEABLE ? "" : reason(nop.verdict(), oracle, slowest),
                rewards,
                nop.verdict().reward(),
                slowest,
                runs);
    }

    /** Infrastructure may fail now and then: that is no property of the task. */
    private RepairVerdict grade(HarborTask task, byte[] patch, String use) {
        for (int tries = 1; ; tries++) {
            Lease lease = Lease.of(OWNER + "/" + use + "/t" + tries, OWNER);
            RepairVerdict verdict = verifier.gradePatch(task, patch, lease);
            if (verdict.verdict().failureClass() != FailureClass.INFRA || tries == MOST_TRIES) {
                return verdict;
            }
        }
    }

    private Status status(
            Verdict nop, List<RepairVerdict> oracle, long slowest, long timeoutMillis) {
        boolean lost =
                nop.failureClass() == FailureClass.INFRA
                        || oracle.stream()
                                .anyMatch(
                                        run -> run.verdict().failureClass() == FailureClass.INFRA);
        long solved = oracle.stream().filter(TaskChecker::solved).count();
        if (lost) {
            return Status.UNKNOWN;
        }
        if (solved > 0 && solved < oracle.size()) {
            return Status.FLAKY;
        }
        if (solved == 0 || (nop.graded() && nop.reward() >= 1)) {
            return Status.BROKEN;
        }
        return slowest > slowShare * timeoutMillis ? Status.SLOW : Status.GRADEABLE;
    }

    private static String reason(Verdict nop, List<RepairVerdict> oracle, long slowest) {
        RepairVerdict failed = oracle.stream().filter(run -> !solved(run)).findFirst().orElse(null);
        if (failed != null) {
            Verdict verdict = failed.verdict();
            return "its reference repair "
                    + (verdict.graded()
                            ? "does not repair "
                                    + some(failed.notRepaired())
                                    + ", breaks "
                                    + some(failed.broken())
                                    + " "
                                    + verdict.flags()
                            : "gets no reward: " + verdict.cause() + " " + tail(verdict));
        }
        return Objects.equals(nop.reward(), 1.0)
                ? "doing nothing is worth 1"
                : "grading takes " + slowest + " ms";
    }

    private static String tail(Verdict verdict) {
        String text = verdict.outputTail() == null ? "" : verdict.outputTail().strip();
        return text.substring(Math.max(0, text.length() - 300));
    }

    private static String some(List<String> tests) {
        int shown = Math.min(3, tests.size());
        return tests.size() + " tests" + (shown == 0 ? "" : " " + tests.subList(0, shown));
    }

    private static boolean solved(RepairVerdict run) {
        return Objects.equals(run.verdict().reward(), 1.0);
    }

    private TaskState state(String id, Status status, String reason) {
        return new TaskState(id, status, reason, List.of(), null, 0, runs);
    }
}
