package dev.millrace.jobs.view;

import dev.millrace.udfs.model.PolicyVersion;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * A run at one moment.
 *
 * @param shape what the run is
 * @param step training steps in the newest weights
 * @param version the newest weights
 * @param reward mean over all finished training groups of the last three batches
 * @param firstReward the same over the first three batches
 * @param rewardCurve mean rewards of equal stretches of the run, the oldest first
 * @param mixedRate share of groups with different rewards in the last three batches
 * @param accounts where the training groups are
 * @param lag age of the policies that played what was trained on
 * @param activity what is going on
 * @param metrics what the last step measured
 * @param rounds evaluation rounds by version
 * @param rejects records that left the stream, by reason
 * @param timeLeft until the last step, at the pace of the last steps
 * @param drained whether no group will follow
 * @param starved whether so many groups in a row taught nothing that the run learns nothing
 * @param endedEarly why the run ended before its last step, empty when it did not
 */
public record RunStatus(
        RunShape shape,
        long step,
        PolicyVersion version,
        OptionalDouble reward,
        OptionalDouble firstReward,
        List<Double> rewardCurve,
        OptionalDouble mixedRate,
        Accounts accounts,
        Lag lag,
        Activity activity,
        Map<String, Double> metrics,
        List<EvalRound> rounds,
        Map<String, Long> rejects,
        Optional<Duration> timeLeft,
        boolean drained,
        boolean starved,
        String endedEarly) {

    /** The first complete round of that kind. */
    public Optional<EvalRound> before(boolean greedy) {
        return complete(greedy).min(Comparator.comparing(EvalRound::version));
    }

    /** The last complete round of that kind, when it measured a later version than the first. */
    public Optional<EvalRound> after(boolean greedy) {
        Optional<EvalRound> before = before(greedy);
        return complete(greedy)
                .max(Comparator.comparing(EvalRound::version))
                .filter(last -> !last.equals(before.orElse(null)));
    }

    private Stream<EvalRound> complete(boolean greedy) {
        return rounds.stream().filter(r -> r.greedy() == greedy && r.complete());
    }
}
