package dev.millrace.backends.rollout;

import dev.millrace.backends.effect.EffectLimits;

/**
 * How effects are carried out.
 *
 * @param slots attempts that may hold a sandbox at once
 * @param label what sandboxes are labelled with besides the run, for instance {@code rollout/0}
 * @param fence number of this opening
 * @param limits how long and how often
 */
public record RunnerSettings(int slots, String label, long fence, EffectLimits limits) {

    /** The usual limits, for a runner without successors. */
    public static RunnerSettings of(int slots, String label) {
        return new RunnerSettings(slots, label, 1, EffectLimits.usual());
    }
}
