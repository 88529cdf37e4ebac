package dev.millrace.operators.admission;

import dev.millrace.udfs.admission.AdmissionSettings;
import java.io.Serializable;

/**
 * A run, and how much of the rollout slots it gets while all runs have work.
 *
 * @param admission what of it may be played
 * @param weight its part of the sum of all weights
 */
public record RunShare(AdmissionSettings admission, double weight) implements Serializable {
    /** Checks the weight. */
    public RunShare {
        if (!(weight > 0)) {
            throw new IllegalArgumentException("weight must be above 0, got " + weight);
        }
    }
}
