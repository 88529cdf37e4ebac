package dev.millrace.operators.group;

import dev.millrace.udfs.group.EqualAttempts;
import dev.millrace.udfs.group.GroupVerdict;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.GradedAttempt;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.Reject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** The attempts of one group that are there. */
final class ClosedGroup {
    private final TreeMap<Integer, GradedAttempt> byIndex = new TreeMap<>();

    /**
     * @param attempts at least one, of the same admission
     */
    ClosedGroup(Iterable<GradedAttempt> attempts) {
        for (GradedAttempt attempt : attempts) {
            byIndex.put(attempt.attempt().admission().attemptIndex(), attempt);
        }
    }

    boolean complete() {
        return byIndex.size() >= admission().groupSize();
    }

    /** The group as it is reported; attempts that are missing are in it, as lost. */
    GroupRecord record(GroupWindowSettings settings) {
        Admission admission = admission();
        List<AttemptSummary> summaries = new ArrayList<>();
        for (int index = 0; index < admission.groupSize(); index++) {
            GradedAttempt graded = byIndex.get(index);
            summaries.add(graded == null ? missing(index) : AttemptSummary.of(graded));
        }
        GroupVerdict verdict =
                GroupVerdict.of(
                        summaries,
                        admission.groupSize(),
                        settings.minValidAttempts(),
                        settings.keepConstant());
        return new GroupRecord(
                admission.runId(),
                false,
                admission.lane(),
                admission.groupId(),
                admission.groupIndex(),
                admission.admissionId(),
                admission.task(),
                admission.policy(),
                admission.evalRound(),
                admission.temperature() == 0,
                verdict.verdict(),
                verdict.cause(),
                verdict.rewardMean(),
                summaries);
    }

    /** Attempts that said the same, if that can't be chance. */
    Optional<Reject> equalAttempts() {
        return EqualAttempts.in(byIndex.values().stream().map(GradedAttempt::attempt).toList());
    }

    private Admission admission() {
        return byIndex.firstEntry().getValue().attempt().admission();
    }

    private AttemptSummary missing(int index) {
        Failure failure =
                new Failure(
                        FailureClass.INFRA,
                        GroupVerdict.MISSING_AT_DEADLINE,
                        "The attempt had not answered when its group's deadline came");
        return new AttemptSummary(
                Admission.attemptId(admission().groupId(), index),
                index,
                Outcome.LOST,
                false,
                0,
                failure,
                List.of(),
                null,
                0,
                0,
                0,
                admission().policy().version(),
                0,
                0,
                0);
    }
}
