package dev.millrace.operators;

import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.operators.topic.Wire;
import dev.millrace.udfs.group.GroupVerdict;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.AttemptBudget;
import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.ContentRef;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.GradedAttempt;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Records for tests. */
public final class Samples {
    public static final String RUN = "run";

    private Samples() {}

    public static Task task(String id, Split split) {
        return new Task(id, "file:/tasks/" + id, split, "");
    }

    public static AttemptBudget budget() {
        return new AttemptBudget(10, 100, 1000, 3, 1000, 10000, 2);
    }

    public static PolicyRef policy(long epoch, long step) {
        return new PolicyRef(new PolicyVersion(epoch, step), "w:" + epoch + "." + step);
    }

    public static PolicyRecord published(long epoch, long step, boolean last) {
        return new PolicyRecord(
                RUN, PolicyRecord.Kind.PUBLICATION, epoch, step, 0, "n", "w", last, Map.of());
    }

    public static PolicyRecord announced(long epoch, long parent, long fork) {
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

    public static Admission admission(long group, int attempt, int size, String admissionId) {
        return new Admission(
                RUN,
                Lane.TRAIN,
                RUN + "/g" + group,
                group,
                admissionId,
                size,
                attempt,
                "r0",
                task("t", Split.TRAIN),
                policy(1, 0),
                1,
                group * 100 + attempt,
                "",
                budget());
    }

    public static GradedAttempt graded(Admission admission, double reward) {
        return new GradedAttempt(
                new FinishedAttempt(
                        admission,
                        Outcome.SUBMITTED,
                        null,
                        null,
                        new ContentRef("mem:" + admission.attemptId(), 3, "00"),
                        2,
                        10,
                        20,
                        admission.policy().version(),
                        5,
                        1),
                true,
                reward,
                null,
                List.of(),
                7);
    }

    /** A closed training group whose valid attempts have these rewards. */
    public static GroupRecord group(long index, PolicyRef policy, double... rewards) {
        return groupOf(RUN, index, policy, rewards);
    }

    /** The same of another run. */
    public static GroupRecord groupOf(String run, long index, PolicyRef policy, double... rewards) {
        String id = run + "/g" + index;
        List<AttemptSummary> attempts = new ArrayList<>();
        for (int i = 0; i < rewards.length; i++) {
            attempts.add(summary(Admission.attemptId(id, i), i, rewards[i], policy));
        }
        GroupVerdict verdict = GroupVerdict.of(attempts, rewards.length, 1);
        return new GroupRecord(
                run,
                false,
                Lane.TRAIN,
                id,
                index,
                "adm-" + index,
                task("t", Split.TRAIN),
                policy,
                "",
                false,
                verdict.verdict(),
                verdict.cause(),
                verdict.rewardMean(),
                attempts);
    }

    private static AttemptSummary summary(String id, int index, double reward, PolicyRef policy) {
        return new AttemptSummary(
                id,
                index,
                Outcome.SUBMITTED,
                true,
                reward,
                null,
                List.of(),
                new ContentRef("mem:" + id, 3, "00"),
                2,
                2,
                4,
                policy.version(),
                5,
                7,
                1);
    }

    public static StepEvent journaled(Admission admission) {
        return StepEvent.of(
                        "rollout",
                        admission.route(),
                        admission.attemptId(),
                        admission.admissionId(),
                        StepEvent.ADMIT,
                        StepEvent.Kind.ADMITTED,
                        0)
                .with(admission);
    }

    public static StepEvent ended(Admission admission, StepEvent.Kind kind) {
        return StepEvent.of(
                "rollout",
                admission.route(),
                admission.attemptId(),
                admission.admissionId(),
                "x",
                kind,
                0);
    }

    /** A record of a topic as the run writes it. */
    public static TopicRecord data(String topic, Object value) {
        return TopicRecord.data(topic, 0, 0, RUN, Wire.encode(value));
    }
}
