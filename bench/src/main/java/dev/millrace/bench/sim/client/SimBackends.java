package dev.millrace.bench.sim.client;

import dev.millrace.backends.effect.EffectLimits;
import dev.millrace.backends.grading.GradingRunner;
import dev.millrace.backends.port.BackendFactory;
import dev.millrace.backends.port.EffectRunnerFactory;
import dev.millrace.backends.port.PolicyTrainer;
import dev.millrace.backends.port.Sampler;
import dev.millrace.backends.port.TrajectoryStore;
import dev.millrace.backends.rollout.Observations;
import dev.millrace.backends.rollout.RolloutPorts;
import dev.millrace.backends.rollout.RolloutRunner;
import dev.millrace.backends.rollout.RunnerSettings;
import dev.millrace.backends.store.FileTrajectoryStore;
import dev.millrace.pipeline.topology.Backends;
import java.nio.file.Path;

/**
 * The simulated services, and trajectories on a disk that all task managers see.
 *
 * @param addresses where the services are
 * @param trajectories folder of trajectories
 * @param rolloutSlots attempts at once, in all
 * @param gradingSlots gradings at once, in all
 */
public record SimBackends(
        SimAddresses addresses, String trajectories, int rolloutSlots, int gradingSlots)
        implements Backends {

    @Override
    public EffectRunnerFactory rollout() {
        return (subtask, parallelism, fence) -> {
            TaskFault fault = new TaskFault();
            return fault.on(
                    new RolloutRunner(
                            new RolloutPorts(
                                    tasks(),
                                    new SimSampler(client(addresses.model()), fault),
                                    new SimRenderer(),
                                    openStore(),
                                    Observations.own()),
                            new RunnerSettings(
                                    share(rolloutSlots, subtask, parallelism),
                                    "rollout/" + subtask,
                                    fence,
                                    EffectLimits.usual())));
        };
    }

    @Override
    public EffectRunnerFactory grading() {
        return (subtask, parallelism, fence) ->
                new GradingRunner(
                        tasks(),
                        openStore(),
                        new RunnerSettings(
                                share(gradingSlots, subtask, parallelism),
                                "grading/" + subtask,
                                fence,
                                EffectLimits.usual()),
                        0);
    }

    @Override
    public BackendFactory<PolicyTrainer> trainer() {
        return () ->
                new SimTrainer(new ServiceClient(addresses.trainer(), addresses.patienceMillis()));
    }

    @Override
    public BackendFactory<Sampler> reference() {
        return () -> new SimSampler(client(addresses.model()), new TaskFault());
    }

    @Override
    public BackendFactory<TrajectoryStore> store() {
        return this::openStore;
    }

    private SimTasks tasks() {
        return new SimTasks(new SimSandboxProvider(client(addresses.sandbox())));
    }

    private TrajectoryStore openStore() {
        return new FileTrajectoryStore(Path.of(trajectories));
    }

    /** Whoever calls comes again by itself. */
    private static ServiceClient client(int port) {
        return new ServiceClient(port, 0);
    }

    private static int share(int total, int index, int parallelism) {
        return Math.max(1, total / parallelism + (index < total % parallelism ? 1 : 0));
    }
}
