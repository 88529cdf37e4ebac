package dev.millrace.jobs.launch;

import dev.millrace.backends.dataset.ProbeDump;
import dev.millrace.backends.harbor.HarborTaskException;
import dev.millrace.backends.play.AttemptPlayer;
import dev.millrace.backends.port.PolicyTrainer;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.TrainerSession;
import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.pipeline.adapters.EmbeddedBackends;
import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.pipeline.settings.TaskSettings;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.GradedAttempt;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.Task;
import dev.millrace.udfs.seed.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Plays each training task several times with the policy that a run would start from, at the
 * temperature it would train at, and changes nothing: what it sees says which tasks there is
 * something to learn from.
 */
public final class Probe {
    private static final int ATTEMPTS_UNDER_WAY = 512;

    private final Recipe recipe;
    private final RunFolder folder;
    private final int samples;
    private final Consumer<String> progress;
    private int mixed;
    private double rewards;
    private long gradeable;

    /**
     * @param folder where the probe keeps its policy and its trajectories
     * @param samples attempts at each task
     * @param progress told, in a few words, what is being done
     */
    public Probe(Recipe recipe, RunFolder folder, int samples, Consumer<String> progress) {
        this.recipe = recipe;
        this.folder = folder;
        this.samples = samples;
        this.progress = progress;
    }

    /**
     * What was seen.
     *
     * @param tasks that were played
     * @param mixed of them, solved by some attempts and not by others, all of them graded
     * @param reward mean of attempts with a verdict
     * @param dataset folder of the subset that was played
     * @param dump file of all attempts
     */
    public record Report(int tasks, int mixed, double reward, Path dataset, Path dump) {}

    /**
     * Plays. Blocks.
     *
     * @param policy published state to play; empty for the one that the recipe starts from
     * @throws BadInputException when tasks are refused
     */
    public Report run(String policy)
            throws IOException, HarborTaskException, SandboxException, InterruptedException {
        TaskCatalogue pool = TaskCatalogue.of(recipe, folder);
        TaskCatalogue chosen = ChosenTasks.of(pool, recipe.tasks());
        List<Task> tasks = chosen.of(Split.TRAIN);
        Path root = dataset(tasks);
        Path dump = folder.root().resolve("eval_0.jsonl");
        EmbeddedBackends backends =
                new EmbeddedBackends(
                        recipe,
                        folder.scratch().toString(),
                        folder.policiesUri(),
                        folder.trajectoriesUri());
        String runId = RunIdentity.newRunId(recipe.run().name() + "-probe");
        PolicyRef played =
                new PolicyRef(
                        new PolicyVersion(0, 0),
                        policy.isEmpty() ? initial(backends, runId, pool) : policy);
        ProbeDump.About about =
                new ProbeDump.About(subset(), policy.isEmpty() ? "base" : policy, samples);
        try (ProbeDump out = new ProbeDump(dump, about);
                AttemptPlayer player =
                        new AttemptPlayer(
                                backends.openRollout("probe-rollout", recipe.rollout().slots()),
                                backends.openGrading("probe-grading", recipe.grading().slots()))) {
            int atATime = Math.max(1, ATTEMPTS_UNDER_WAY / samples);
            for (int from = 0; from < tasks.size(); from += atATime) {
                int to = Math.min(tasks.size(), from + atATime);
                play(player, runId, tasks.subList(from, to), from, played, out);
                progress.accept(to + " of " + tasks.size() + " tasks played, " + mixed + " mixed");
            }
            out.complete();
        }
        double mean = gradeable == 0 ? 0 : rewards / gradeable;
        return new Report(tasks.size(), mixed, mean, root, dump);
    }

    private String subset() {
        return recipe.tasks().source() == TaskSettings.Source.DATASET
                ? recipe.tasks().trainSubset()
                : "train-full";
    }

    /** Tasks that are in no dataset get one, so that subsets can be made of them. */
    private Path dataset(List<Task> tasks) throws IOException {
        if (recipe.tasks().source() == TaskSettings.Source.DATASET) {
            return Path.of(recipe.tasks().path());
        }
        Path root = folder.root().resolve("dataset");
        Files.createDirectories(root);
        SubsetWriter.write(tasks, root.resolve("train-full.jsonl"));
        return root;
    }

    private String initial(EmbeddedBackends backends, String runId, TaskCatalogue pool)
            throws SandboxException, InterruptedException {
        String warm =
                new InitialPolicy(recipe, backends, runId, progress).make(pool).initialPolicyUri();
        if (!warm.isEmpty()) {
            return warm;
        }
        try (PolicyTrainer trainer = backends.openTrainer();
                TrainerSession session = trainer.open(runId, "")) {
            return session.publish("initial").join();
        }
    }

    private void play(
            AttemptPlayer player,
            String runId,
            List<Task> tasks,
            int first,
            PolicyRef policy,
            ProbeDump out)
            throws IOException {
        List<Admission> admissions = new ArrayList<>();
        for (int task = 0; task < tasks.size(); task++) {
            for (int attempt = 0; attempt < samples; attempt++) {
                admissions.add(admission(runId, tasks.get(task), first + task, attempt, policy));
            }
        }
        List<GradedAttempt> played = player.playAll(admissions);
        for (int task = 0; task < tasks.size(); task++) {
            int solved = 0;
            int valid = 0;
            for (GradedAttempt one : played.subList(task * samples, (task + 1) * samples)) {
                out.attempt(tasks.get(task).taskId(), one.reward(), one.valid());
                solved += one.valid() && one.reward() >= 1 ? 1 : 0;
                valid += one.valid() ? 1 : 0;
                rewards += one.valid() ? one.reward() : 0;
            }
            gradeable += valid;
            mixed += valid == samples && solved > 0 && solved < samples ? 1 : 0;
        }
    }

    private Admission admission(String runId, Task task, int index, int attempt, PolicyRef policy) {
        String group = runId + "/probe/" + index;
        return new Admission(
                runId,
                Lane.EVAL,
                group,
                index,
                "probe",
                samples,
                attempt,
                "probe",
                task,
                policy,
                recipe.rollout().temperature(),
                Seeds.ofAttempt(recipe.run().seed(), group, attempt),
                "probe",
                recipe.rollout().budget());
    }
}
