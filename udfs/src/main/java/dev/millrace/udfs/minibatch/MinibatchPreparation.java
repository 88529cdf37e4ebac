package dev.millrace.udfs.minibatch;

import dev.millrace.udfs.advantage.GroupAdvantages;
import dev.millrace.udfs.advantage.RewardControl;
import dev.millrace.udfs.advantage.TokenAdvantages;
import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Minibatch;
import dev.millrace.udfs.model.MinibatchItem;
import dev.millrace.udfs.model.Trajectory;
import dev.millrace.udfs.seed.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Turns groups into a minibatch, and an attempt of it into the arrays of the loss. */
public final class MinibatchPreparation {
    private MinibatchPreparation() {}

    /** A minibatch of whole groups: a datum for each valid attempt that sampled anything. */
    public static Minibatch minibatch(
            BatchSettings settings, long epoch, long step, int index, List<GroupRecord> groups) {
        List<MinibatchItem> items = new ArrayList<>();
        List<Double> rewards = new ArrayList<>();
        for (GroupRecord group : groups) {
            List<AttemptSummary> valid =
                    group.attempts().stream().filter(AttemptSummary::valid).toList();
            valid.forEach(attempt -> rewards.add(attempt.reward()));
            items.addAll(items(settings, group.groupId(), valid));
        }
        return new Minibatch(
                settings.runId(),
                epoch,
                step,
                index,
                settings.minibatchesPerStep(),
                groups.stream().map(GroupRecord::groupId).toList(),
                List.copyOf(items),
                items.stream().mapToLong(MinibatchItem::generatedTokens).sum(),
                rewards.stream().mapToDouble(Double::doubleValue).average().orElse(0));
    }

    /**
     * The arrays of one attempt. What follows its last sampled token is left out: nothing of it
     * counts.
     *
     * @param reference log-probabilities under the reference policy, as long as the tokens, or null
     *     when {@code klCoef} is 0
     * @throws IllegalArgumentException when lengths differ or a number that counts isn't finite
     */
    public static TokenArrays arrays(
            Trajectory trajectory,
            MinibatchItem item,
            float[] reference,
            double klCoef,
            long normaliser) {
        int length = checkedLength(trajectory, reference, klCoef);
        int[] tokens = Arrays.copyOf(trajectory.tokens(), length);
        float[] advantages = new float[length];
        for (int i = 0; i < length; i++) {
            if (trajectory.mask()[i] != 0) {
                float behavior = trajectory.logprobs()[i];
                float base = klCoef == 0 ? behavior : reference[i];
                double weight =
                        TokenAdvantages.of(item.advantage(), klCoef, behavior, base, normaliser);
                advantages[i] = finite(weight, trajectory.attemptId(), i);
            }
        }
        return new TokenArrays(tokens, advantages, Arrays.copyOf(trajectory.logprobs(), length));
    }

    private static List<MinibatchItem> items(
            BatchSettings settings, String groupId, List<AttemptSummary> valid) {
        double[] rewards = valid.stream().mapToDouble(AttemptSummary::reward).toArray();
        if (settings.shuffleRewards()) {
            long seed = Seeds.ofGroup(settings.runSeed(), groupId);
            rewards = RewardControl.shuffleWithinGroup(rewards, seed);
        }
        double[] advantages = GroupAdvantages.of(rewards, settings.divideByStd());
        List<MinibatchItem> items = new ArrayList<>();
        for (int i = 0; i < valid.size(); i++) {
            AttemptSummary attempt = valid.get(i);
            if (attempt.trajectory() != null && attempt.generatedTokens() > 0) {
                items.add(
                        new MinibatchItem(
                                attempt.attemptId(),
                                attempt.trajectory(),
                                advantages[i],
                                attempt.generatedTokens(),
                                null));
            }
        }
        return items;
    }

    private static int checkedLength(Trajectory trajectory, float[] reference, double klCoef) {
        int length = trajectory.tokens().length;
        boolean even = trajectory.mask().length == length && trajectory.logprobs().length == length;
        boolean referenceFits = klCoef == 0 || (reference != null && reference.length == length);
        if (!even || !referenceFits) {
            throw new IllegalArgumentException(
                    "Arrays of "
                            + trajectory.attemptId()
                            + " differ in length: tokens "
                            + length
                            + ", mask "
                            + trajectory.mask().length
                            + ", logprobs "
                            + trajectory.logprobs().length
                            + ", reference "
                            + (reference == null ? "missing" : reference.length));
        }
        int last = length;
        while (last > 0 && trajectory.mask()[last - 1] == 0) {
            last--;
        }
        return last;
    }

    private static float finite(double weight, String attemptId, int position) {
        if (!Double.isFinite(weight)) {
            throw new IllegalArgumentException(
                    "The advantage of token " + position + " of " + attemptId + " is not finite");
        }
        return (float) weight;
    }
}
