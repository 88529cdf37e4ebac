package dev.millrace.pipeline.topology;

import dev.millrace.backends.effect.EffectLimits;
import dev.millrace.backends.fake.FakePolicyTrainer;
import dev.millrace.backends.fake.FakeProvider;
import dev.millrace.backends.fake.FakeRenderer;
import dev.millrace.backends.fake.FakeSampler;
import dev.millrace.backends.fake.FakeStore;
import dev.millrace.backends.fake.FakeTasks;
import dev.millrace.backends.grading.GradingRunner;
import dev.millrace.backends.port.BackendFactory;
import dev.millrace.backends.port.EffectRunner;
import dev.millrace.backends.port.EffectRunnerFactory;
import dev.millrace.backends.port.PolicyTrainer;
import dev.millrace.backends.port.Sampler;
import dev.millrace.backends.port.TrainerException;
import dev.millrace.backends.port.TrainerSession;
import dev.millrace.backends.port.TrajectoryStore;
import dev.millrace.backends.rollout.Observations;
import dev.millrace.backends.rollout.RolloutPorts;
import dev.millrace.backends.rollout.RolloutRunner;
import dev.millrace.backends.rollout.RunnerSettings;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.step.Effect;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** Backends without processes, shared by all tasks of this JVM under a name. */
record FakeBackends(String name, long latencyMillis) implements Backends {
    private static final Map<String, World> WORLDS = new ConcurrentHashMap<>();

    /** What the outside of one test holds, and what is to go wrong next. */
    record World(
            FakeTasks tasks,
            FakeStore store,
            FakePolicyTrainer trainer,
            AtomicBoolean failRollout,
            AtomicBoolean failTraining,
            AtomicReference<CompletableFuture<Void>> training,
            AtomicReference<CompletableFuture<Void>> saving) {

        static World around(FakeTasks tasks) {
            return new World(
                    tasks,
                    new FakeStore(),
                    new FakePolicyTrainer(1),
                    new AtomicBoolean(),
                    new AtomicBoolean(),
                    new AtomicReference<>(CompletableFuture.completedFuture(null)),
                    new AtomicReference<>(CompletableFuture.completedFuture(null)));
        }
    }

    /** Backends whose sandboxes are of that provider. */
    static FakeBackends on(String name, long latencyMillis, FakeProvider provider) {
        WORLDS.put(name, World.around(new FakeTasks(provider)));
        return new FakeBackends(name, latencyMillis);
    }

    World world() {
        return WORLDS.computeIfAbsent(name, n -> World.around(new FakeTasks()));
    }

    @Override
    public EffectRunnerFactory rollout() {
        return (subtask, parallelism, fence) ->
                new Failing(
                        new RolloutRunner(
                                new RolloutPorts(
                                        world().tasks(),
                                        new FakeSampler(latencyMillis),
                                        new FakeRenderer(),
                                        world().store(),
                                        Observations.own()),
                                settings(128, "rollout/" + subtask, fence)),
                        world().failRollout());
    }

    @Override
    public EffectRunnerFactory grading() {
        return (subtask, parallelism, fence) ->
                new GradingRunner(
                        world().tasks(),
                        world().store(),
                        settings(4, "grading/" + subtask, fence),
                        0);
    }

    private static RunnerSettings settings(int slots, String label, long fence) {
        return new RunnerSettings(slots, label, fence, EffectLimits.usual());
    }

    @Override
    public BackendFactory<PolicyTrainer> trainer() {
        return () -> new FailingTrainer(world());
    }

    @Override
    public BackendFactory<Sampler> reference() {
        return () -> new FakeSampler(1);
    }

    @Override
    public BackendFactory<TrajectoryStore> store() {
        return () -> world().store();
    }

    /** Throws into its caller once it is told to. */
    private record Failing(EffectRunner runner, AtomicBoolean fail) implements EffectRunner {
        @Override
        public CompletableFuture<StepEvent> start(Effect effect) {
            if (fail.getAndSet(false)) {
                throw new IllegalStateException("injected");
            }
            return runner.start(effect);
        }

        @Override
        public void release(String itemId, String admissionId) {
            runner.release(itemId, admissionId);
        }

        @Override
        public void close() {
            runner.close();
        }
    }

    /** Fails the first step after it is told to; trains and saves when it may. */
    private record FailingTrainer(World world) implements PolicyTrainer {
        @Override
        public TrainerSession open(String session, String stateUri) {
            TrainerSession opened = world.trainer().open(session, stateUri);
            return (TrainerSession)
                    Proxy.newProxyInstance(
                            FakeBackends.class.getClassLoader(),
                            new Class<?>[] {TrainerSession.class},
                            (proxy, method, arguments) -> {
                                boolean step = method.getName().equals("optimStep");
                                boolean save = method.getName().equals("saveState");
                                if (step || save) {
                                    return (step ? world.training() : world.saving())
                                            .get()
                                            .thenCompose(
                                                    go ->
                                                            step && fails()
                                                                    ? failed()
                                                                    : invoke(
                                                                            method, opened,
                                                                            arguments));
                                }
                                return method.invoke(opened, arguments);
                            });
        }

        /** Asked when the call is let go, so that one that was held fails too. */
        private boolean fails() {
            return world.failTraining().getAndSet(false);
        }

        private static CompletionStage<Object> failed() {
            return CompletableFuture.failedFuture(new TrainerException("injected", null));
        }

        private static CompletionStage<Object> invoke(
                Method method, Object target, Object[] arguments) {
            try {
                return ((CompletableFuture<?>) method.invoke(target, arguments))
                        .thenApply(Object.class::cast);
            } catch (ReflectiveOperationException e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        @Override
        public void close() {
            world.trainer().close();
        }
    }
}
