package dev.millrace.backends.harbor;

import java.util.List;
import java.util.Optional;

/**
 * Where and as whom a task's tests run, beside the script itself.
 *
 * @param user whom they run as; empty for the provider's own
 * @param separate the verifier's own environment, which brings its tests along; empty when they run
 *     in the agent's
 * @param collect run in the agent's sandbox when the agent has ended, in order
 */
public record VerifierPhase(
        String user, Optional<EnvironmentSpec> separate, List<CollectCommand> collect) {}
