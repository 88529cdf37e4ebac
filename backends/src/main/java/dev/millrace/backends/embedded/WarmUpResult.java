package dev.millrace.backends.embedded;

import dev.millrace.udfs.model.PolicyRef;
import java.util.List;

/**
 * What a warm-up did.
 *
 * @param steps updates in the policy
 * @param demonstrations demonstrations it could draw from
 * @param reward mean reward that was measured last, of this policy
 * @param reached whether that is within tolerance of the target, or above
 * @param probes all measurements, in order
 * @param seconds how long it took, measurements included
 * @param policy the policy, published
 * @param stateUri the trainer's state, to open sessions from
 */
public record WarmUpResult(
        int steps,
        int demonstrations,
        double reward,
        boolean reached,
        List<Probe> probes,
        double seconds,
        PolicyRef policy,
        String stateUri) {

    /**
     * A measurement.
     *
     * @param steps updates in the policy that was measured
     * @param likelihood probability with which the policy says a demonstration of its last update
     *     word by word, geometric mean
     * @param reward mean reward
     */
    public record Probe(int steps, double likelihood, double reward) {}
}
