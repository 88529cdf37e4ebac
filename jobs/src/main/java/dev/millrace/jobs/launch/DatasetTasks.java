package dev.millrace.jobs.launch;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.backends.dataset.RejectedRow;
import dev.millrace.backends.dataset.SubsetFile;
import dev.millrace.backends.dataset.SubsetRow;
import dev.millrace.backends.harbor.HarborProblem;
import dev.millrace.backends.harbor.HarborTaskException;
import dev.millrace.backends.harbor.HarborTaskLoader;
import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.pipeline.settings.TaskSettings;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.Task;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The tasks of a prepared dataset's subsets. Rows that are no tasks are set aside and listed. */
final class DatasetTasks {
    /** File of what was set aside, in the run's folder. */
    static final String REJECTED = "rejected-tasks.jsonl";

    /** Variable that says where the folder of datasets lies, if not above the dataset. */
    static final String TASK_ROOT = "ASYNC_RL_TASK_ROOT";

    private final Path above;
    private final HarborTaskLoader loader;
    private final List<Task> tasks = new ArrayList<>();
    private final Set<String> ids = new HashSet<>();
    private final List<RejectedRow> rejected = new ArrayList<>();

    private DatasetTasks(Path above, HarborTaskLoader loader) {
        this.above = above;
        this.loader = loader;
    }

    /**
     * Reads the subsets.
     *
     * @param loader reads tasks
     * @param folder of a run's own tasks; what is set aside is listed beside it
     * @throws BadInputException when no task is left, or in strict mode when any row is none
     */
    static TaskCatalogue read(TaskSettings settings, HarborTaskLoader loader, Path folder)
            throws IOException {
        Path root = Path.of(settings.path()).toAbsolutePath().normalize();
        String variable = System.getenv(TASK_ROOT);
        DatasetTasks read =
                new DatasetTasks(variable == null ? root.getParent() : Path.of(variable), loader);
        if (!settings.fromTopic()) {
            read.add(root.resolve(settings.trainSubset() + ".jsonl"), Split.TRAIN);
        }
        int train = read.tasks.size();
        read.add(root.resolve(settings.heldOutSubset() + ".jsonl"), settings.evalSplit());
        read.report(settings.strict(), folder.resolveSibling(REJECTED));
        if (train == 0 && !settings.fromTopic()) {
            throw new BadInputException(
                    "no row of "
                            + settings.trainSubset()
                            + " is a task; see "
                            + folder.resolveSibling(REJECTED));
        }
        return new TaskCatalogue(read.tasks, List.of(), List.copyOf(read.rejected));
    }

    private void add(Path file, Split split) throws IOException {
        SubsetFile subset = SubsetFile.read(file);
        rejected.addAll(subset.rejected());
        for (SubsetRow row : subset.rows()) {
            Path task = above.resolve(row.taskPath()).normalize();
            Optional<String> problem = problem(row, task);
            if (problem.isPresent()) {
                rejected.add(new RejectedRow(file.toString(), row.line(), problem.get()));
            } else {
                String uri = task.toUri().toString();
                tasks.add(new Task(row.instanceId(), uri, split, row.category()));
            }
        }
    }

    private Optional<String> problem(SubsetRow row, Path task) {
        if (row.instanceId().isBlank()) {
            return Optional.of("instance_id is blank");
        }
        if (row.taskPath().isEmpty()) {
            return Optional.of("task_path is missing");
        }
        if (!task.startsWith(above)) {
            return Optional.of("task_path leaves the folder of datasets");
        }
        if (!Files.isRegularFile(task.resolve("task.toml"))) {
            return Optional.of("there is no task in " + task);
        }
        if (!ids.add(row.instanceId())) {
            return Optional.of("instance_id '" + row.instanceId() + "' was there before");
        }
        try {
            loader.load(task);
            return Optional.empty();
        } catch (HarborTaskException e) {
            return Optional.of(
                    e.problems().stream()
                            .map(HarborProblem::describe)
                            .collect(Collectors.joining("; ")));
        }
    }

    private void report(boolean strict, Path list) throws IOException {
        if (rejected.isEmpty()) {
            Files.deleteIfExists(list);
            return;
        }
        if (strict) {
            throw new BadInputException(
                    rejected.size() + " rows are no tasks, and tasks.strict is true:",
                    rejected.stream().map(RejectedRow::toString).toList());
        }
        ObjectMapper json = new ObjectMapper();
        List<String> lines = new ArrayList<>();
        for (RejectedRow row : rejected) {
            lines.add(json.writeValueAsString(row));
        }
        Files.createDirectories(list.getParent());
        Files.write(list, lines);
    }
}
