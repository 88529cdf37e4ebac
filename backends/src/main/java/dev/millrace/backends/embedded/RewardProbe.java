package dev.millrace.backends.embedded;

import dev.millrace.udfs.model.PolicyRef;

/** Plays attempts with a policy and says what they earned. */
@FunctionalInterface
public interface RewardProbe {
    /** Mean reward of the verifier on training tasks. Blocks. */
    double measure(PolicyRef policy);
}
