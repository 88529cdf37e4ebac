package dev.millrace.udfs;

import dev.millrace.udfs.group.GroupVerdict;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.AttemptBudget;
import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.ContentRef;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.Task;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

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

    public static PolicyRecord announced(long epoch, long parent, long fork) {
        return new PolicyRecord(
                RUN, PolicyRecord.Kind.ANNOUNCE, epoch, fork, parent, "n", "", false, Map.of());
    }

    public static PolicyRecord published(long epoch, long step, boolean last) {
        return new PolicyRecord(
                RUN,
                PolicyRecord.Kind.PUBLICATION,
                epoch,
                step,
                0,
                "n",
                policy(epoch, step).uri(),
                last,
                Map.of());
    }

    public static AttemptSummary attempt(
            String groupId, int index, boolean valid, double reward, PolicyVersion version) {
        String id = Admission.attemptId(groupId, index);
        return new AttemptSummary(
                id,
                index,
                Outcome.SUBMITTED,
                valid,
                reward,
                null,
                List.of(),
                new ContentRef("mem:" + id, 1, "00"),
                1,
                10,
                20,
                version,
                1,
                1,
                1);
    }

    /** A closed training group with these rewards, all valid. */
    public static GroupRecord group(long index, PolicyRef policy, double... rewards) {
        String id = RUN + "/g" + index;
        return closed(Lane.TRAIN, id, index, "adm-" + index, "", policy, rewards);
    }

    public static GroupRecord closed(
            Lane lane,
            String id,
            long index,
            String admissionId,
            String evalRound,
            PolicyRef policy,
            double... rewards) {
        List<AttemptSummary> attempts =
                IntStream.range(0, rewards.length)
                        .mapToObj(i -> attempt(id, i, true, rewards[i], policy.version()))
                        .toList();
        GroupVerdict verdict = GroupVerdict.of(attempts, rewards.length, 1);
        return new GroupRecord(
                RUN,
                false,
                lane,
                id,
                index,
                admissionId,
                task("t", Split.TRAIN),
                policy,
                evalRound,
                false,
                verdict.verdict(),
                verdict.cause(),
                verdict.rewardMean(),
                attempts);
    }
}
