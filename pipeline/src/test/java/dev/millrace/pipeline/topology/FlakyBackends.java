package dev.millrace.pipeline.topology;

import dev.millrace.backends.effect.EffectLimits;
import dev.millrace.backends.fake.FakePolicyTrainer;
import dev.millrace.backends.fake.FakeRenderer;
import dev.millrace.backends.fake.FakeSampler;
import dev.millrace.backends.fake.FakeStore;
import dev.millrace.backends.fake.FakeTasks;
import dev.millrace.backends.grading.GradingRunner;
import dev.millrace.backends.port.Action;
import dev.millrace.backends.port.BackendFactory;
import dev.millrace.backends.port.ChatRenderer;
import dev.millrace.backends.port.Datum;
import dev.millrace.backends.port.EffectRunnerFactory;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.PolicyTrainer;
import dev.millrace.backends.port.Sampler;
import dev.millrace.backends.port.SandboxProvider;
import dev.millrace.backends.port.TrainerSession;
import dev.millrace.backends.port.TrajectoryStore;
import dev.millrace.backends.rollout.Observations;
import dev.millrace.backends.rollout.RolloutPorts;
import dev.millrace.backends.rollout.RolloutRunner;
import dev.millrace.backends.rollout.RunnerSettings;
import dev.millrace.udfs.model.Task;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/**
 * A run in one process whose sandboxes fail by a plan, and whose trainer keeps what it is given.
 */
record FlakyBackends(String name) implements Backends {
    private static final Map<String, World> WORLDS = new ConcurrentHashMap<>();
    private static final EffectLimits LIMITS =
            new EffectLimits(
                    60_000, 60_000, 60_000, 60_000, 60_000, 60_000, 10, 60_000, 1, 600_000, 0,
                    9_999, 9_999, 60_000);

    /**
     * The outside of one test.
     *
     * @param sandboxes of agents and graders
     * @param plan which verdicts do not come
     * @param broken tasks whose verifiers never give one
     * @param command that writes the file {@code answer}, before the answer
     * @param redirection the same, behind the answer
     */
    record World(
            SandboxProvider sandboxes,
            FaultPlan plan,
            Predicate<Task> broken,
            String command,
            String redirection,
            FakeStore store,
            FakePolicyTrainer trainer,
            List<List<Datum>> trained) {}

    static FlakyBackends on(
            String name,
            SandboxProvider sandboxes,
            FaultPlan plan,
            Predicate<Task> broken,
            String command,
            String redirection) {
        World world =
                new World(
                        sandboxes,
                        plan,
                        broken,
                        command,
                        redirection,
                        new FakeStore(),
                        new FakePolicyTrainer(1),
                        new CopyOnWriteArrayList<>());
        WORLDS.put(name, world);
        return new FlakyBackends(name);
    }

    World world() {
        return WORLDS.get(name);
    }

    private AnswerTasks tasks() {
        World world = world();
        return new AnswerTasks(
                world.sandboxes(),
                (task, lease) ->
                        world.broken().test(task)
                                || world.plan().hit(lease.name(), "verifier's verdict"));
    }

    @Override
    public EffectRunnerFactory rollout() {
        return (subtask, parallelism, fence) ->
                new RolloutRunner(
                        new RolloutPorts(
                                tasks(),
                                new FakeSampler(1),
                                renderer(),
                                world().store(),
                                Observations.own()),
                        new RunnerSettings(24, "rollout/" + subtask, fence, LIMITS));
    }

    @Override
    public EffectRunnerFactory grading() {
        return (subtask, parallelism, fence) ->
                new GradingRunner(
                        tasks(),
                        world().store(),
                        new RunnerSettings(8, "grading/" + subtask, fence, LIMITS),
                        0);
    }

    @Override
    public BackendFactory<PolicyTrainer> trainer() {
        return () -> new Recording(world());
    }

    @Override
    public BackendFactory<Sampler> reference() {
        return () -> new FakeSampler(1);
    }

    @Override
    public BackendFactory<TrajectoryStore> store() {
        return () -> world().store();
    }

    /** What the agents of this run speak. */
    ChatRenderer renderer() {
        return new ShellRenderer(new FakeRenderer(), world().command(), world().redirection());
    }

    /** As the fake renderer, for another shell. */
    private record ShellRenderer(FakeRenderer fake, String command, String redirection)
            implements ChatRenderer {
        @Override
        public int[] start(String instruction) {
            return fake.start(instruction);
        }

        @Override
        public Action parse(int[] completion, boolean stopped) {
            Action action = fake.parse(completion, stopped);
            boolean writes = completion.length > 0 && completion[0] < FakeTasks.ANSWERS;
            return writes
                    ? new Action(action.kind(), command + completion[0] + redirection, "")
                    : action;
        }

        @Override
        public int[] observe(int[] completion, boolean stopped, String observation, int nextTurn) {
            return fake.observe(completion, stopped, observation, nextTurn);
        }

        @Override
        public String describe(ExecResult result) {
            return fake.describe(result);
        }
    }

    /** Keeps the data of each forward and backward pass. */
    private record Recording(World world) implements PolicyTrainer {
        @Override
        @SuppressWarnings("unchecked")
        public TrainerSession open(String session, String stateUri) {
            TrainerSession opened = world.trainer().open(session, stateUri);
            return (TrainerSession)
                    Proxy.newProxyInstance(
                            FlakyBackends.class.getClassLoader(),
                            new Class<?>[] {TrainerSession.class},
                            (proxy, method, arguments) -> {
                                if (method.getName().equals("forwardBackward")) {
                                    world.trained().add(List.copyOf((List<Datum>) arguments[1]));
                                }
                                return method.invoke(opened, arguments);
                            });
        }

        @Override
        public void close() {
            world.trainer().close();
        }
    }
}
