package dev.millrace.udfs.group;

import dev.millrace.udfs.advantage.GroupAdvantages;
import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.Verdict;
import java.util.List;

/**
 * What a closed group is worth.
 *
 * @param verdict whether it teaches something
 * @param cause short stable name of why it doesn't, empty when it is trained on
 * @param rewardMean over valid attempts; 0 when there are none
 */
public record GroupVerdict(Verdict verdict, String cause, double rewardMean) {
    /** Cause of an attempt that had not answered when its group's deadline came. */
    public static final String MISSING_AT_DEADLINE = "group_deadline";

    /**
     * Cause of a group whose policy version is served no more: its task is played again, by a whole
     * group under the version that is newest then.
     */
    public static final String REPINNED = "repinned";

    /** Rewards closer together than that are equal. */
    static final double SMALLEST_STD = 1e-6;

    /** Judges a group of which only a difference of rewards teaches something. */
    public static GroupVerdict of(List<AttemptSummary> attempts, int groupSize, int minValid) {
        return of(attempts, groupSize, minValid, false);
    }

    /**
     * Judges a group.
     *
     * @param attempts those that ended; missing ones count as not valid
     * @param groupSize attempts that were admitted
     * @param minValid fewest valid attempts for a verdict, at most {@code groupSize}
     * @param keepConstant whether equal rewards are trained on all the same
     */
    public static GroupVerdict of(
            List<AttemptSummary> attempts, int groupSize, int minValid, boolean keepConstant) {
        double[] rewards =
                attempts.stream()
                        .filter(AttemptSummary::valid)
                        .mapToDouble(AttemptSummary::reward)
                        .toArray();
        double mean = GroupAdvantages.mean(rewards);
        boolean cancelled = attempts.stream().anyMatch(GroupVerdict::cancelled);
        if (cancelled) {
            return new GroupVerdict(Verdict.CANCELLED, "end_of_training", mean);
        }
        if (attempts.stream().anyMatch(GroupVerdict::versionGone)) {
            return new GroupVerdict(Verdict.FAILED, REPINNED, mean);
        }
        if (rewards.length < Math.min(minValid, groupSize)) {
            return new GroupVerdict(Verdict.FAILED, "too_few_valid", mean);
        }
        if (GroupAdvantages.standardDeviation(rewards) <= SMALLEST_STD) {
            return keepConstant
                    ? new GroupVerdict(Verdict.KEPT, "", mean)
                    : new GroupVerdict(Verdict.CONSTANT, "constant_reward", mean);
        }
        return new GroupVerdict(Verdict.MIXED, "", mean);
    }

    private static boolean versionGone(AttemptSummary attempt) {
        Failure failure = attempt.failure();
        return failure != null && failure.cause().equals(Failure.VERSION_GONE);
    }

    private static boolean cancelled(AttemptSummary attempt) {
        Failure failure = attempt.failure();
        return attempt.outcome() == Outcome.CANCELLED
                || (failure != null && failure.cause().equals(Failure.CANCELLED));
    }
}
