package dev.millrace.udfs.model;

import java.util.List;

/**
 * What one forward and backward pass eats.
 *
 * @param runId the run
 * @param epoch of the session that trains it
 * @param step which step it belongs to, from 0
 * @param index position in the step, from 0
 * @param count minibatches of the step
 * @param groupIds the groups it was made of
 * @param items attempts, in order
 * @param normaliserTokens generated tokens of all items; divides every advantage
 * @param rewardMean over the valid attempts of its groups
 */
public record Minibatch(
        String runId,
        long epoch,
        long step,
        int index,
        int count,
        List<String> groupIds,
        List<MinibatchItem> items,
        long normaliserTokens,
        double rewardMean) {

    /** Names it: the same groups in another session are another minibatch. */
    public String minibatchId() {
        return runId + "/e" + epoch + "/s" + step + "/m" + index;
    }
}
