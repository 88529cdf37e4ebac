package dev.millrace.pipeline.adapters;

import dev.millrace.backends.effect.EffectLimits;
import dev.millrace.backends.embedded.EmbeddedSampler;
import dev.millrace.backends.embedded.EmbeddedTrainer;
import dev.millrace.backends.embedded.ModelShape;
import dev.millrace.backends.embedded.TurnRenderer;
import dev.millrace.backends.grading.GradingRunner;
import dev.millrace.backends.harbor.HarborEnvironment;
import dev.millrace.backends.harbor.HarborTaskLoader;
import dev.millrace.backends.harbor.PackedTasks;
import dev.millrace.backends.port.BackendFactory;
import dev.millrace.backends.port.ChatRenderer;
import dev.millrace.backends.port.EffectRunner;
import dev.millrace.backends.port.EffectRunnerFactory;
import dev.millrace.backends.port.ObjectStore;
import dev.millrace.backends.port.PolicyTrainer;
import dev.millrace.backends.port.Sampler;
import dev.millrace.backends.port.SandboxLimits;
import dev.millrace.backends.port.SandboxProvider;
import dev.millrace.backends.port.TaskEnvironment;
import dev.millrace.backends.port.TrajectoryStore;
import dev.millrace.backends.repair.RepairGrader;
import dev.millrace.backends.rollout.ForeignObservations;
import dev.millrace.backends.rollout.Observations;
import dev.millrace.backends.rollout.RolloutPorts;
import dev.millrace.backends.rollout.RolloutRunner;
import dev.millrace.backends.rollout.RunnerSettings;
import dev.millrace.backends.store.FileTrajectoryStore;
import dev.millrace.backends.store.LocalObjects;
import dev.millrace.backends.store.ObjectTrajectoryStore;
import dev.millrace.pipeline.settings.ModelSettings;
import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.pipeline.topology.Backends;
import java.net.URI;
import java.nio.file.Path;

/**
 * The transformer inside the process and the recipe's sandboxes, with files on a disk or in a
 * bucket that all task managers see.
 *
 * @param recipe settings
 * @param scratch short-lived files of sandboxes
 * @param policies URI of the folder of saved states and publications
 * @param trajectories URI of the folder of attempts' content
 */
public record EmbeddedBackends(Recipe recipe, String scratch, String policies, String trajectories)
        implements Backends, PolicyPorts {
    private static final int SAMPLER_THREADS = 1;
    private static final SandboxLimits MOST_OF_A_TASK = new SandboxLimits(4, 4096, 512, 2048);

    @Override
    public EffectRunnerFactory rollout() {
        return rollout(this);
    }

    /** The same with another policy. */
    EffectRunnerFactory rollout(PolicyPorts policy) {
        return (subtask, parallelism, fence) ->
                openRollout(
                        policy,
                        "rollout-" + subtask,
                        settings(
                                share(recipe.rollout().slots(), subtask, parallelism),
                                "rollout/" + subtask,
                                fence));
    }

    @Override
    public EffectRunnerFactory grading() {
        return (subtask, parallelism, fence) ->
                openGrading(
                        "grading-" + subtask,
                        settings(
                                share(recipe.grading().slots(), subtask, parallelism),
                                "grading/" + subtask,
                                fence));
    }

    private RunnerSettings settings(int slots, String label, long fence) {
        return new RunnerSettings(slots, label, fence, limits());
    }

    private EffectLimits limits() {
        return recipe.limits().effects().limits(recipe.grading().timeout());
    }

    /** A runner for attempts, with sandboxes in a scratch folder of its own. */
    public EffectRunner openRollout(String name, int slots) {
        return openRollout(this, name, RunnerSettings.of(slots, name).limited(limits()));
    }

    private EffectRunner openRollout(PolicyPorts policy, String name, RunnerSettings settings) {
        Observations observations =
                recipe.controls().foreignObservations()
                        ? new ForeignObservations()
                        : Observations.own();
        return new RolloutRunner(
                new RolloutPorts(
                        tasks(name),
                        policy.sampler(),
                        policy.renderer(),
                        trajectoryStore(),
                        observations),
                settings);
    }

    /** A runner for verdicts, with sandboxes in a scratch folder of its own. */
    public EffectRunner openGrading(String name, int slots) {
        return openGrading(name, RunnerSettings.of(slots, name).limited(limits()));
    }

    private EffectRunner openGrading(String name, RunnerSettings settings) {
        return new GradingRunner(
                tasks(name), trajectoryStore(), settings, recipe.grading().reusedVerdicts());
    }

    /** The tasks' workspaces and verifiers. */
    public TaskEnvironment tasks(String name) {
        HarborTaskLoader loader =
                new HarborTaskLoader(
                                recipe.sandbox().limits(),
                                MOST_OF_A_TASK,
                                recipe.tasks().hostVariables())
                        .on(recipe.sandbox().imageMapping());
        SandboxProvider provider = SandboxProviders.open(recipe.sandbox(), Path.of(scratch, name));
        return new HarborEnvironment(
                provider,
                loader,
                new PackedTasks(objects(), Path.of(scratch)),
                recipe.grading().timeout().toMillis(),
                new RepairGrader(provider));
    }

    @Override
    public BackendFactory<PolicyTrainer> trainer() {
        return this::openTrainer;
    }

    /** The trainer, with its concrete type: only the embedded one can be warmed up. */
    public EmbeddedTrainer openTrainer() {
        ModelSettings model = recipe.policy().model();
        return new EmbeddedTrainer(
                objects(),
                URI.create(policies),
                new ModelShape(
                        TurnRenderer.vocabularySize(),
                        model.width(),
                        model.layers(),
                        model.heads()),
                recipe.run().seed());
    }

    @Override
    public BackendFactory<Sampler> reference() {
        return this::sampler;
    }

    @Override
    public BackendFactory<TrajectoryStore> store() {
        return this::trajectoryStore;
    }

    @Override
    public Sampler sampler() {
        return new EmbeddedSampler(SAMPLER_THREADS, objects());
    }

    @Override
    public ChatRenderer renderer() {
        return new TurnRenderer();
    }

    private TrajectoryStore trajectoryStore() {
        URI root = URI.create(trajectories);
        return onDisk(root)
                ? new FileTrajectoryStore(Path.of(root))
                : new ObjectTrajectoryStore(objects(), root);
    }

    private ObjectStore objects() {
        return onDisk(URI.create(policies)) ? new LocalObjects() : new FlinkObjects();
    }

    private static boolean onDisk(URI folder) {
        return "file".equals(folder.getScheme());
    }

    /** A parallel instance's part of a global limit, at least 1. */
    static int share(int total, int index, int parallelism) {
        return Math.max(1, total / parallelism + (index < total % parallelism ? 1 : 0));
    }
}
