package dev.millrace.jobs.launch;

import dev.millrace.backends.embedded.Demonstration;
import dev.millrace.backends.embedded.DemonstrationPlan;
import dev.millrace.backends.embedded.EmbeddedTrainer;
import dev.millrace.backends.embedded.TurnRenderer;
import dev.millrace.backends.embedded.WarmUp;
import dev.millrace.backends.embedded.WarmUpResult;
import dev.millrace.backends.exampletasks.ExampleTask;
import dev.millrace.backends.play.AttemptPlayer;
import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.TaskEnvironment;
import dev.millrace.jobs.view.WarmUpReport;
import dev.millrace.pipeline.adapters.EmbeddedBackends;
import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.pipeline.settings.WarmUpSettings;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.GradedAttempt;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.Task;
import dev.millrace.udfs.seed.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the policy that a run starts from: random weights, then a declared warm-up. */
final class InitialPolicy {
    private static final int RECORDERS = 2;
    private static final int MAX_OUTPUT_BYTES = 64 * 1024;
    private static final double TOLERANCE = 0.04;

    private static final Logger LOG = LoggerFactory.getLogger(InitialPolicy.class);

    private final Recipe recipe;
    private final EmbeddedBackends backends;
    private final String runId;
    private final Consumer<String> progress;

    /**
     * @param progress told, in a few words, what is being done
     */
    InitialPolicy(
            Recipe recipe, EmbeddedBackends backends, String runId, Consumer<String> progress) {
        this.recipe = recipe;
        this.backends = backends;
        this.runId = runId;
        this.progress = progress;
    }

    /**
     * Warms up. Blocks.
     *
     * @throws SandboxException when a demonstration can't be recorded
     */
    RunIdentity make(TaskCatalogue catalogue) throws SandboxException, InterruptedException {
        WarmUpSettings settings = recipe.policy().warmUp();
        if (settings.maxSteps() == 0 || catalogue.examples().isEmpty()) {
            return new RunIdentity(runId, "", "", WarmUpReport.NONE);
        }
        List<Demonstration> demonstrations = record(catalogue, settings.demonstrations());
        WarmUpResult result;
        try (EmbeddedTrainer trainer = backends.openTrainer();
                AttemptPlayer player =
                        new AttemptPlayer(
                                backends.openRollout("probe-rollout", recipe.rollout().slots()),
                                backends.openGrading("probe-grading", recipe.grading().slots()))) {
            result =
                    new WarmUp(trainer, warmUp(settings))
                            .run(
                                    runId + "-warm-up",
                                    demonstrations,
                                    policy -> measure(player, catalogue.of(Split.TRAIN), policy));
        }
        return new RunIdentity(
                runId,
                result.stateUri(),
                result.policy().uri(),
                new WarmUpReport(
                        result.steps(),
                        result.demonstrations(),
                        settings.hastyShare(),
                        settings.target(),
                        result.reward(),
                        result.seconds()));
    }

    private dev.millrace.backends.embedded.WarmUpSettings warmUp(WarmUpSettings settings) {
        return new dev.millrace.backends.embedded.WarmUpSettings(
                settings.target(),
                TOLERANCE,
                settings.batch(),
                settings.learningRate(),
                settings.minSteps(),
                settings.checkEverySteps(),
                settings.maxSteps(),
                recipe.run().seed());
    }

    private List<Demonstration> record(TaskCatalogue catalogue, int count)
            throws SandboxException, InterruptedException {
        List<Task> tasks = catalogue.of(Split.TRAIN);
        Map<String, ExampleTask> examples = new HashMap<>();
        catalogue.examples().forEach(example -> examples.put(example.id(), example));
        List<DemonstrationPlan> plans =
                DemonstrationPlan.draw(
                        tasks.stream().map(task -> examples.get(task.taskId()).repair()).toList(),
                        count,
                        recipe.policy().warmUp().hastyShare(),
                        recipe.run().seed());
        progress.accept(
                String.format(
                        Locale.ROOT,
                        "recording %d demonstrations of training tasks, %.0f %% by hasty"
                                + " demonstrators",
                        count,
                        100 * recipe.policy().warmUp().hastyShare()));
        ExecutorService recorders = Executors.newFixedThreadPool(RECORDERS);
        try (TaskEnvironment environment = backends.tasks("demonstrations")) {
            List<Future<Demonstration>> recording = new ArrayList<>();
            for (int i = 0; i < plans.size(); i++) {
                Task task = tasks.get(plans.get(i).task());
                String lease = runId + "/demonstrations/" + i;
                List<String> commands = plans.get(i).commands();
                recording.add(recorders.submit(() -> recorded(environment, task, lease, commands)));
            }
            List<Demonstration> recorded = new ArrayList<>();
            for (Future<Demonstration> each : recording) {
                recorded.add(each.get());
            }
            return recorded;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SandboxException sandbox) {
                throw sandbox;
            }
            throw new IllegalStateException("A demonstration failed", e.getCause());
        } finally {
            recorders.shutdownNow();
        }
    }

    /** Infrastructure may fail now and then, as it may for an attempt. */
    private Demonstration recorded(
            TaskEnvironment environment, Task task, String lease, List<String> commands)
            throws SandboxException {
        for (int tries = 1; ; tries++) {
            try {
                return demonstrate(environment, task, lease + "/t" + tries, commands);
            } catch (SandboxException e) {
                if (tries == recipe.rollout().maxTries()) {
                    throw e;
                }
                LOG.warn("A demonstration is recorded again lease={}", lease, e);
            }
        }
    }

    private Demonstration demonstrate(
            TaskEnvironment environment, Task task, String lease, List<String> commands)
            throws SandboxException {
        TurnRenderer renderer = new TurnRenderer();
        try (Sandbox sandbox = environment.open(task, Lease.of(lease, runId))) {
            return Demonstration.record(
                    environment.instruction(task),
                    commands,
                    command -> renderer.describe(run(sandbox, command)));
        }
    }

    private ExecResult run(Sandbox sandbox, String command) throws SandboxException {
        long limit = recipe.rollout().execTimeout().toMillis();
        return sandbox.exec(
                new ExecRequest(command, command, "", Map.of(), limit, MAX_OUTPUT_BYTES));
    }

    private double measure(AttemptPlayer player, List<Task> train, PolicyRef policy) {
        int count = Math.min(recipe.policy().warmUp().checkTasks(), train.size());
        List<Admission> admissions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Task task = train.get(train.size() - 1 - i);
            admissions.add(admission(task, i, policy));
        }
        double reward =
                player.playAll(admissions).stream()
                        .filter(GradedAttempt::valid)
                        .mapToDouble(GradedAttempt::reward)
                        .average()
                        .orElse(0);
        progress.accept(
                String.format(
                        Locale.ROOT,
                        "reward on %d training tasks %.2f, target %.2f",
                        count,
                        reward,
                        recipe.policy().warmUp().target()));
        return reward;
    }

    private Admission admission(Task task, int index, PolicyRef policy) {
        String group = runId + "/probe/" + index;
        String unique = Integer.toHexString(policy.uri().hashCode());
        return new Admission(
                runId,
                Lane.EVAL,
                group,
                index,
                unique,
                1,
                0,
                "probe",
                task,
                policy,
                1.0,
                Seeds.ofAttempt(recipe.run().seed(), group, 0),
                "probe",
                recipe.rollout().budget());
    }
}
