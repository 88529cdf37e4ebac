package dev.millrace.pipeline.topology;

import dev.millrace.backends.effect.EffectLimits;
import dev.millrace.backends.fake.FakeTasks;
import dev.millrace.backends.fake.tinker.FakeTinkerServer;
import dev.millrace.backends.fake.tinker.ServerShape;
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
import dev.millrace.backends.tinker.ServerTraits;
import dev.millrace.backends.tinker.TinkerSampler;
import dev.millrace.backends.tinker.TinkerSettings;
import dev.millrace.backends.tinker.TinkerTimes;
import dev.millrace.backends.tinker.TinkerTrainer;
import java.nio.file.Path;
import java.util.List;

/**
 * A policy behind a server, sandboxes without processes.
 *
 * @param server the policy's server
 * @param folder of trajectories
 */
record ServedBackends(TinkerSettings server, String folder) implements Backends {
    private static final int SLOTS = 8;
    private static final int CONTEXT = 2_048;
    private static final TinkerTimes TIMES =
            new TinkerTimes(2_000, 10_000, 10_000, 500, 30_000, 30_000, 20);

    /** A server for these runs. It asks for no key. */
    static ServerShape shape() {
        return new ServerShape(
                "fake/bigram", SumRenderer.VOCABULARY, CONTEXT, 7, 8, 4, "", 60_000, 300);
    }

    static ServedBackends of(FakeTinkerServer server, Path folder) {
        return of(server, folder, ServerTraits.asSpecified());
    }

    /** As {@link #of(FakeTinkerServer, Path)}, with a server known to behave in some way. */
    static ServedBackends of(FakeTinkerServer server, Path folder, ServerTraits traits) {
        return new ServedBackends(
                new TinkerSettings(
                        server.url(),
                        server.shape().model(),
                        4,
                        1,
                        CONTEXT,
                        SumRenderer.VOCABULARY,
                        List.of(0),
                        traits,
                        TIMES),
                folder.toString());
    }

    @Override
    public EffectRunnerFactory rollout() {
        return (subtask, parallelism, fence) ->
                new RolloutRunner(
                        new RolloutPorts(
                                new FakeTasks(),
                                new TinkerSampler(server),
                                new SumRenderer(),
                                files(),
                                Observations.own()),
                        settings("rollout/" + subtask, fence));
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
        return () -> new TinkerTrainer(server);
    }

    @Override
    public BackendFactory<Sampler> reference() {
        return () -> new TinkerSampler(server);
    }

    @Override
    public BackendFactory<TrajectoryStore> store() {
        return this::files;
    }

    private TrajectoryStore files() {
        return new FileTrajectoryStore(Path.of(folder, "trajectories"));
    }
}
