package dev.millrace.jobs.launch;

import dev.millrace.backends.dataset.RejectedRow;
import dev.millrace.backends.exampletasks.Counts;
import dev.millrace.backends.exampletasks.ExampleTask;
import dev.millrace.backends.exampletasks.ExampleTasks;
import dev.millrace.backends.harbor.HarborTask;
import dev.millrace.backends.harbor.HarborTaskException;
import dev.millrace.backends.harbor.HarborTaskLoader;
import dev.millrace.backends.harbor.PackedTasks;
import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.pipeline.settings.TaskSettings;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.Task;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The tasks of a run.
 *
 * @param tasks those that are trained on and those that measure
 * @param examples how the generated ones are solved; empty for tasks from a folder
 * @param rejected rows of a dataset that are no tasks
 */
public record TaskCatalogue(
        List<Task> tasks, List<ExampleTask> examples, List<RejectedRow> rejected) {

    /** Tasks for which no row was rejected. */
    public TaskCatalogue(List<Task> tasks, List<ExampleTask> examples) {
        this(tasks, examples, List.of());
    }

    /**
     * Draws the tasks, or reads them.
     *
     * @param run where drawn tasks are written; rows of a dataset that are no tasks are listed
     *     there
     * @throws HarborTaskException when tasks of a folder can't be used; names all of them
     * @throws BadInputException when rows of a dataset can't be used; names them
     */
    public static TaskCatalogue of(Recipe recipe, RunFolder run)
            throws IOException, HarborTaskException {
        TaskSettings settings = recipe.tasks();
        return switch (settings.source()) {
            case GENERATED -> generated(recipe, run);
            case FOLDER -> read(settings, loader(recipe));
            case DATASET -> DatasetTasks.read(settings, loader(recipe), run.tasks());
        };
    }

    private static HarborTaskLoader loader(Recipe recipe) {
        HarborTaskLoader loader =
                new HarborTaskLoader(recipe.tasks().hostVariables())
                        .on(recipe.sandbox().imageMapping());
        // What is handed in there ends the attempt, not a step of it.
        return recipe.agent().isMiniSweAgent()
                ? loader.withoutSteps("with agent.format: mini_swe_agent")
                : loader;
    }

    /** Those of one split. */
    public List<Task> of(Split split) {
        return tasks.stream().filter(task -> task.split() == split).toList();
    }

    private static TaskCatalogue generated(Recipe recipe, RunFolder run) throws IOException {
        Path folder = run.tasks();
        TaskSettings settings = recipe.tasks();
        List<ExampleTask> drawn =
                ExampleTasks.generate(
                        recipe.run().seed(),
                        new Counts(settings.train(), settings.validation(), settings.test()));
        if (!Files.exists(folder)) {
            ExampleTasks.write(drawn, folder);
        }
        List<Task> tasks = new ArrayList<>();
        for (ExampleTask task : drawn) {
            if (task.split() == Split.TRAIN || task.split() == settings.evalSplit()) {
                String at = label(task.split()) + "/" + task.id();
                String uri =
                        run.remote()
                                ? PackedTasks.uri(run.uri(RemoteFiles.TASKS), at)
                                : folder.resolve(at).toUri().toString();
                tasks.add(new Task(task.id(), uri, task.split(), task.family()));
            }
        }
        return new TaskCatalogue(tasks, drawn);
    }

    /**
     * A folder with {@code train} beside {@code validation} or {@code test}, or one with training
     * tasks only. Beside a topic of training tasks, only the other ones are read.
     */
    private static TaskCatalogue read(TaskSettings settings, HarborTaskLoader loader)
            throws HarborTaskException {
        Path folder = Path.of(settings.path());
        Split evalSplit = settings.evalSplit();
        Path train = folder.resolve(label(Split.TRAIN));
        Path held = folder.resolve(label(evalSplit));
        List<Task> tasks = new ArrayList<>();
        if (settings.fromTopic()) {
            add(loader, held, evalSplit, tasks);
        } else if (Files.isDirectory(train)) {
            add(loader, train, Split.TRAIN, tasks);
            if (Files.isDirectory(held)) {
                add(loader, held, evalSplit, tasks);
            }
        } else {
            add(loader, folder, Split.TRAIN, tasks);
        }
        return new TaskCatalogue(tasks, List.of());
    }

    private static void add(HarborTaskLoader loader, Path folder, Split split, List<Task> tasks)
            throws HarborTaskException {
        for (HarborTask task : loader.loadAll(folder)) {
            tasks.add(new Task(task.name(), task.folder().toUri().toString(), split, ""));
        }
    }

    private static String label(Split split) {
        return split.name().toLowerCase(Locale.ROOT);
    }
}
