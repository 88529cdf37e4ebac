package dev.millrace.operators.train;

import dev.millrace.backends.port.AdamSpec;
import dev.millrace.backends.port.LossSpec;
import java.io.Serializable;

/**
 * How the policy is trained.
 *
 * @param runId the run
 * @param initialStateUri trainer state that the run starts from; empty for the initial policy
 * @param steps of the run
 * @param saveEverySteps the trainer's state is saved after a step whose number it divides, and
 *     after the last
 * @param passes how often each minibatch is gone through
 * @param klCoef strength of the pull towards the reference policy; 0 for none
 * @param loss the objective
 * @param adam the update
 * @param inFlight most minibatches given to the trainer and not answered
 * @param callMillis longest that the trainer may work on one call, once those before it are
 *     answered
 * @param all whether an attempt that can't be read fails the task, so that it is read again,
 *     instead of leaving its minibatch
 */
public record TrainerSettings(
        String runId,
        String initialStateUri,
        long steps,
        long saveEverySteps,
        int passes,
        double klCoef,
        LossSpec loss,
        AdamSpec adam,
        int inFlight,
        long callMillis,
        boolean all)
        implements Serializable {
    /** Checks the numbers. */
    public TrainerSettings {
        boolean positive = saveEverySteps >= 1 && passes >= 1 && inFlight >= 1 && callMillis >= 1;
        if (!positive) {
            throw new IllegalArgumentException(
                    "saveEverySteps, passes, inFlight and callMillis must be at least 1, got "
                            + saveEverySteps
                            + ", "
                            + passes
                            + ", "
                            + inFlight
                            + " and "
                            + callMillis);
        }
    }

    boolean savedAfter(long version) {
        return version % saveEverySteps == 0 || version == steps;
    }
}
