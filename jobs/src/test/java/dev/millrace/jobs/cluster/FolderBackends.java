package dev.millrace.jobs.cluster;

import dev.millrace.backends.effect.EffectLimits;
import dev.millrace.backends.fake.FakeRenderer;
import dev.millrace.backends.fake.FakeSampler;
import dev.millrace.backends.fake.FakeTasks;
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
 * Fakes for tasks in several processes: what must outlive one lies in a folder.
 *
 * @param folder of trajectories and policies
 * @param latencyMillis of the sampler
 */
record FolderBackends(String folder, long latencyMillis) implements Backends {

    @Override
    public EffectRunnerFactory rollout() {
        return (subtask, parallelism, fence) ->
                new RolloutRunner(
                        new RolloutPorts(
                                new FakeTasks(),
                                new FakeSampler(latencyMillis),
                                new FakeRenderer(),
                                trajectories(),
                                Observations.own()),
                        settings(8, "rollout/" + subtask, fence));
    }

    @Override
    public EffectRunnerFactory grading() {
        return (subtask, parallelism, fence) ->
                new GradingRunner(
                        new FakeTasks(),
                        trajectories(),
                        settings(4, "grading/" + subtask, fence),
                        0);
    }

    private static RunnerSettings settings(int slots, String label, long fence) {
        return new RunnerSettings(slots, label, fence, EffectLimits.usual());
    }

    @Override
    public BackendFactory<PolicyTrainer> trainer() {
        return () -> new FolderTrainer(Path.of(folder, "policies"));
    }

    @Override
    public BackendFactory<Sampler> reference() {
        return () -> new FakeSampler(1);
    }

    @Override
    public BackendFactory<TrajectoryStore> store() {
        return this::trajectories;
    }

    private TrajectoryStore trajectories() {
        return new FileTrajectoryStore(Path.of(folder, "trajectories"));
    }
}
