package dev.millrace.backends.harbor;

import dev.millrace.backends.port.SandboxLimits;
import java.util.Optional;

/**
 * An environment as a task describes it.
 *
 * @param plan how its sandbox is prepared
 * @param limits resources of its sandbox
 * @param healthcheck when it is fit for use; empty when it always is
 */
public record EnvironmentSpec(
        EnvironmentPlan plan, SandboxLimits limits, Optional<Healthcheck> healthcheck) {}
