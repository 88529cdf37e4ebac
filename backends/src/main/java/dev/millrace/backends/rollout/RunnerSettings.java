package dev.millrace.backends.rollout;

import dev.millrace.backends.effect.EffectLimits;
import java.util.UUID;

/**
 * How effects are carried out.
 *
 * @param slots attempts that may hold a sandbox at once
 * @param label what sandboxes are labelled with besides the run, for instance {@code rollout/0}
 * @param fence number of this opening
 * @param limits how long and how often
 */
public record RunnerSettings(int slots, String label, long fence, EffectLimits limits) {

    /**
     * The usual limits, for a runner that takes over from no other: it comes after all that were
     * made before, and its label is its own.
     */
    public static RunnerSettings of(int slots, String label) {
        return new RunnerSettings(
                slots,
                label + "/" + UUID.randomUUID(),
                System.currentTimeMillis() * 1000,
                EffectLimits.usual());
    }

    /** The same under other limits. */
    public RunnerSettings limited(EffectLimits other) {
        return new RunnerSettings(slots, label, fence, other);
    }
}
