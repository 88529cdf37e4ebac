package dev.millrace.backends.rollout;

import dev.millrace.backends.port.ChatRenderer;
import dev.millrace.backends.port.Sampler;
import dev.millrace.backends.port.TaskEnvironment;
import dev.millrace.backends.port.TrajectoryStore;

/**
 * What playing an attempt needs of the outside. The runner that gets it closes it.
 *
 * @param tasks workspaces
 * @param sampler policies
 * @param renderer text to tokens and back
 * @param store where trajectories and workspaces go
 * @param observations what a policy is shown
 */
public record RolloutPorts(
        TaskEnvironment tasks,
        Sampler sampler,
        ChatRenderer renderer,
        TrajectoryStore store,
        Observations observations) {}
