package dev.millrace.pipeline.topology;

import dev.millrace.backends.effect.EffectLimits;
import dev.millrace.backends.embedded.EmbeddedSampler;
import dev.millrace.backends.embedded.EmbeddedTrainer;
import dev.millrace.backends.embedded.ModelShape;
import dev.millrace.backends.fake.FakeTasks;
import dev.millrace.backends.grading.GradingRunner;
import dev.millrace.backends.port.BackendFactory;
import dev.millrace.backends.port.EffectRunnerFactory;
import dev.millrace.backends.port.PolicyTrainer;
import dev.millrace.backends.port.Sampler;
import dev.millrace.backends.port.TrainerException;
import dev.millrace.backends.port.TrajectoryStore;
import dev.millrace.backends.rollout.Observations;
import dev.millrace.backends.rollout.RolloutPorts;
import dev.millrace.backends.rollout.RolloutRunner;
import dev.millrace.backends.rollout.RunnerSettings;
import dev.millrace.backends.store.FileTrajectoryStore;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The real trainer, sampler and store, with a tiny model, in a folder; sandboxes without processes;
 * faults where a test wants them.
 *
 * @param name under which the faults of a test are found, since this is copied to where tasks run
 * @param folder of states, publications and trajectories
 * @param losesSessions whether a failure of the trainer is the loss of its session, instead of one
 *     that fails the task
 */
record TinyBackends(String name, String folder, boolean losesSessions) implements Backends {
    private static final Map<String, Faults> FAULTS = new ConcurrentHashMap<>();
    private static final int SLOTS = 8;

    Faults faults() {
        return FAULTS.computeIfAbsent(name, n -> new Faults());
    }

    @Override
    public EffectRunnerFactory rollout() {
        return (subtask, parallelism, fence) ->
                new FaultyRunner(
                        new RolloutRunner(
                                new RolloutPorts(
                                        new FakeTasks(),
                                        new EmbeddedSampler(1),
                                        new SumRenderer(),
                                        files(),
                                        Observations.own()),
                                settings("rollout/" + subtask, fence)),
                        faults());
    }

    @Override
    public EffectRunnerFactory grading() {
        return (subtask, parallelism, fence) ->
                new GradingRunner(
                        new FakeTasks(), files(), settings("grading/" + subtask, fence), 0);
    }

    private static RunnerSettings settings(String label, long fence) {
        return new RunnerSettings(SLOTS, label, fence, EffectLimits.usual());
    }

    @Override
    public BackendFactory<PolicyTrainer> trainer() {
        return () ->
                new FaultyTrainer(
                        new EmbeddedTrainer(
                                Path.of(folder),
                                new ModelShape(SumRenderer.VOCABULARY, 16, 1, 2),
                                5),
                        faults(),
                        this::failure);
    }

    @Override
    public BackendFactory<Sampler> reference() {
        return () -> new EmbeddedSampler(1);
    }

    @Override
    public BackendFactory<TrajectoryStore> store() {
        return this::files;
    }

    private TrajectoryStore files() {
        return new FileTrajectoryStore(Path.of(folder, "trajectories"));
    }

    private RuntimeException failure() {
        return losesSessions
                ? new TrainerException(
                        TrainerException.Kind.SESSION_LOST, "the session is gone", null)
                : new IllegalStateException("injected");
    }
}
