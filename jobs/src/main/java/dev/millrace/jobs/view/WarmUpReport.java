package dev.millrace.jobs.view;

/**
 * What was done to the policy before reinforcement learning; always declared beside its results.
 *
 * @param steps supervised steps, 0 when there was no warm-up
 * @param demonstrations training tasks whose demonstrations were learned
 * @param hastyShare part of them by demonstrators that leave a step out
 * @param target mean reward on training tasks at which it was to end
 * @param trainingReward mean reward on training tasks that it ended at, measured by the verifier
 * @param wallSeconds time it took
 */
public record WarmUpReport(
        int steps,
        int demonstrations,
        double hastyShare,
        double target,
        double trainingReward,
        double wallSeconds) {

    /** No warm-up. */
    public static final WarmUpReport NONE = new WarmUpReport(0, 0, 0, 0, 0, 0);
}
