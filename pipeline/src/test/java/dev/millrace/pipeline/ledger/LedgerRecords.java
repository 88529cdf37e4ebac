package dev.millrace.pipeline.ledger;

import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.AttemptBudget;
import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.ContentRef;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Sampled;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Task;
import dev.millrace.udfs.model.TurnAction;
import dev.millrace.udfs.model.Verdict;
import java.util.List;
import java.util.Map;

/** Records of a made-up run. */
final class LedgerRecords {
    static final String RUN = "run-1";
    private static final PolicyVersion VERSION = new PolicyVersion(1, 4);

    private LedgerRecords() {}

    static GroupRecord group(int index, String admission) {
        String id = RUN + "/g" + index;
        return new GroupRecord(
                RUN,
                false,
                Lane.TRAIN,
                id,
                index,
                admission,
                task(),
                new PolicyRef(VERSION, "mem:w"),
                "",
                false,
                Verdict.MIXED,
                "",
                0.5,
                List.of(attempt(id, 0, 1.0), attempt(id, 1, 0.0), lost(id, 2)));
    }

    static StepEvent admitted(int group, int attempt) {
        Admission admission =
                new Admission(
                        RUN,
                        Lane.TRAIN,
                        RUN + "/g" + group,
                        group,
                        "adm",
                        3,
                        attempt,
                        "route",
                        task(),
                        new PolicyRef(VERSION, "mem:w"),
                        1.0,
                        7,
                        "",
                        new AttemptBudget(4, 24, 384, 2, 5000, 30000, 3));
        return event(group, attempt, StepEvent.ADMIT, StepEvent.Kind.ADMITTED, admission, null);
    }

    static StepEvent sampled(int group, int attempt, int turn) {
        Sampled sampled =
                new Sampled(
                        new int[] {5, 6, 7},
                        new float[] {-0.1f, -0.2f, -0.3f},
                        VERSION,
                        true,
                        TurnAction.COMMAND,
                        "ls");
        return event(group, attempt, "sample/" + turn, StepEvent.Kind.SAMPLED, null, sampled);
    }

    static PolicyRecord publication(long step) {
        return new PolicyRecord(
                RUN,
                PolicyRecord.Kind.PUBLICATION,
                1,
                step,
                0,
                "n",
                "mem:" + step,
                false,
                Map.of("loss", -0.5 * step, "ratio", Double.NaN));
    }

    static ProgressRecord taken(int group, long step) {
        return new ProgressRecord(
                RUN, ProgressRecord.Kind.TAKEN, "learn", 1, RUN + "/g" + group, group, step, "");
    }

    private static Task task() {
        return new Task("t1", "file:/t1", Split.TRAIN, "operator");
    }

    private static AttemptSummary attempt(String group, int index, double reward) {
        return new AttemptSummary(
                group + "/a" + index,
                index,
                Outcome.SUBMITTED,
                true,
                reward,
                null,
                List.of("reward_preexisting", "other"),
                new ContentRef("file:/x" + index, 99, "ab"),
                3,
                20,
                60,
                VERSION,
                900,
                100,
                1);
    }

    private static AttemptSummary lost(String group, int index) {
        return new AttemptSummary(
                group + "/a" + index,
                index,
                Outcome.LOST,
                false,
                0,
                new Failure(FailureClass.INFRA, "sandbox_create_failed", "no memory"),
                List.of(),
                null,
                0,
                0,
                10,
                VERSION,
                50,
                0,
                3);
    }

    private static StepEvent event(
            int group,
            int attempt,
            String effect,
            StepEvent.Kind kind,
            Admission admission,
            Sampled sampled) {
        return StepEvent.of(
                        "rollout",
                        "route",
                        RUN + "/g" + group + "/a" + attempt,
                        "adm",
                        effect,
                        kind,
                        12)
                .with(admission)
                .with(sampled);
    }
}
