package dev.millrace.jobs.view;

import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.AttemptBudget;
import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Task;
import dev.millrace.udfs.model.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Records of a made-up run. */
final class Samples {
    static final String RUN = "demo-1";
    static final RunShape SHAPE = new RunShape(RUN, "demo", 10, 2, 3);

    private Samples() {}

    static GroupRecord train(
            int index, PolicyVersion played, Verdict verdict, String cause, double reward) {
        return group(
                Lane.TRAIN, RUN + "/g" + index, index, played, "", false, verdict, cause, reward);
    }

    static GroupRecord mixed(int index, PolicyVersion played, double reward) {
        return train(index, played, Verdict.MIXED, "", reward);
    }

    static GroupRecord eval(int task, PolicyVersion version, boolean greedy, double... rewards) {
        String round = "eval" + version.step() + (greedy ? "g" : "");
        String id = RUN + "/" + round + "/" + task;
        return group(Lane.EVAL, id, task, version, round, greedy, Verdict.CONSTANT, "", 0, rewards);
    }

    private static GroupRecord group(
            Lane lane,
            String id,
            int index,
            PolicyVersion version,
            String round,
            boolean greedy,
            Verdict verdict,
            String cause,
            double mean,
            double... rewards) {
        List<AttemptSummary> attempts = new ArrayList<>();
        for (int i = 0; i < rewards.length; i++) {
            attempts.add(attempt(id, i, version, rewards[i]));
        }
        return new GroupRecord(
                RUN,
                false,
                lane,
                id,
                index,
                "adm",
                new Task("t" + index, "file:/t" + index, Split.TEST, "operator"),
                new PolicyRef(version, "mem:" + version),
                round,
                greedy,
                verdict,
                cause,
                mean,
                attempts);
    }

    /** A negative reward stands for an attempt without a verdict. */
    private static AttemptSummary attempt(String id, int i, PolicyVersion version, double reward) {
        return new AttemptSummary(
                id + "/a" + i,
                i,
                Outcome.SUBMITTED,
                reward >= 0,
                Math.max(0, reward),
                null,
                List.of(),
                null,
                3,
                20,
                60,
                version,
                900,
                100,
                1);
    }

    static PolicyRecord announce(long epoch, long parent, long fork) {
        return new PolicyRecord(
                RUN,
                PolicyRecord.Kind.ANNOUNCE,
                epoch,
                fork,
                parent,
                "n" + epoch,
                "",
                false,
                Map.of());
    }

    static PolicyRecord publication(long epoch, long step) {
        return new PolicyRecord(
                RUN,
                PolicyRecord.Kind.PUBLICATION,
                epoch,
                step,
                epoch - 1,
                "n" + epoch,
                "mem:w",
                step == 10,
                Map.of("loss", -0.02125, "entropy", 0.4, "ratio", Double.NaN));
    }

    static ProgressRecord taken(long epoch, int group, long step) {
        return progress(ProgressRecord.Kind.TAKEN, epoch, group, step, "");
    }

    static ProgressRecord dropped(long epoch, int group, String cause) {
        return progress(ProgressRecord.Kind.DROPPED, epoch, group, -1, cause);
    }

    private static ProgressRecord progress(
            ProgressRecord.Kind kind, long epoch, int group, long step, String cause) {
        return new ProgressRecord(
                RUN, kind, "learn", epoch, RUN + "/g" + group, group, step, cause);
    }

    static StepEvent admitted(String groupId, int attempt, Lane lane) {
        Admission admission = admission(groupId, attempt, lane);
        return event("rollout", admission, StepEvent.Kind.ADMITTED, admission, null);
    }

    static StepEvent step(String groupId, int attempt, StepEvent.Kind kind) {
        String stage = kind == StepEvent.Kind.GRADED ? "grading" : "rollout";
        return event(stage, admission(groupId, attempt, Lane.TRAIN), kind, null, null);
    }

    static StepEvent gradingAdmitted(String groupId, int attempt) {
        Admission admission = admission(groupId, attempt, Lane.TRAIN);
        FinishedAttempt finished =
                new FinishedAttempt(
                        admission,
                        Outcome.SUBMITTED,
                        null,
                        null,
                        null,
                        3,
                        20,
                        60,
                        admission.policy().version(),
                        900,
                        1);
        return event("grading", admission, StepEvent.Kind.ADMITTED, null, finished);
    }

    private static Admission admission(String groupId, int attempt, Lane lane) {
        return new Admission(
                RUN,
                lane,
                groupId,
                0,
                "adm",
                2,
                attempt,
                "r",
                new Task("t", "file:/t", Split.TRAIN, "operator"),
                new PolicyRef(new PolicyVersion(1, 0), "mem:w"),
                1.0,
                7,
                "",
                new AttemptBudget(4, 24, 384, 2, 5000, 30000, 3));
    }

    private static StepEvent event(
            String stage,
            Admission of,
            StepEvent.Kind kind,
            Admission admission,
            FinishedAttempt finished) {
        return StepEvent.of(stage, "r", of.attemptId(), of.admissionId(), "e", kind, 10)
                .with(admission)
                .with(finished);
    }
}
