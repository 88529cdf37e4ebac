package dev.millrace.backends.embedded;

/**
 * How a policy imitates demonstrations before it learns from rewards.
 *
 * @param targetReward mean reward to stop at
 * @param tolerance how far the measured reward may be off
 * @param batch demonstrations of one update
 * @param learningRate of Adam at the start; falls linearly to a tenth at the first measurement and
 *     stays there
 * @param minSteps updates before the reward is measured for the first time
 * @param stepsBetweenProbes updates from one measurement to the next
 * @param maxSteps updates at most
 * @param seed of the order of demonstrations
 */
public record WarmUpSettings(
        double targetReward,
        double tolerance,
        int batch,
        double learningRate,
        int minSteps,
        int stepsBetweenProbes,
        int maxSteps,
        long seed) {

    /** Updates before the first measurement, over which the learning rate falls. */
    int decaySteps() {
        return Math.min(minSteps, maxSteps);
    }
}
