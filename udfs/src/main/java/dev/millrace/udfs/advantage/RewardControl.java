package dev.millrace.udfs.advantage;

import dev.millrace.udfs.seed.PythonRandom;

/**
 * The control of an experiment: rewards that keep every statistic of their group and say nothing
 * about the attempt. A run that learns under it learns from something else than its rewards.
 */
public final class RewardControl {
    private RewardControl() {}

    /**
     * The same rewards, dealt anew inside the group.
     *
     * @param rewards of a group's valid attempts
     * @param seed of the deal; the same seed deals the same
     */
    public static double[] shuffleWithinGroup(double[] rewards, long seed) {
        int[] order = new PythonRandom(seed).permutation(rewards.length);
        double[] dealt = new double[rewards.length];
        for (int i = 0; i < dealt.length; i++) {
            dealt[i] = rewards[order[i]];
        }
        return dealt;
    }
}
