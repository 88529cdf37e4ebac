package dev.millrace.jobs.launch;

import dev.millrace.backends.dataset.SubsetFile;
import dev.millrace.backends.dataset.SubsetRow;
import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.pipeline.settings.TaskSettings;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.Task;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Training tasks that a file of rows chooses by their ids, in the order of the file. */
final class ChosenTasks {
    private static final int NAMED = 5;

    private ChosenTasks() {}

    /**
     * The tasks that a run plays: all of them when no file chooses; only those that measure when it
     * is trained on rows of a topic.
     *
     * @throws BadInputException when the file names tasks that there are not
     */
    static TaskCatalogue of(TaskCatalogue pool, TaskSettings settings) throws IOException {
        if (settings.fromTopic()) {
            return new TaskCatalogue(heldOut(pool), pool.examples(), pool.rejected());
        }
        if (settings.source() == TaskSettings.Source.DATASET || settings.subset().isEmpty()) {
            return pool;
        }
        Map<String, Task> train = new LinkedHashMap<>();
        pool.of(Split.TRAIN).forEach(task -> train.put(task.taskId(), task));
        List<Task> chosen = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        SubsetFile subset = SubsetFile.read(Path.of(settings.subset()));
        subset.rejected().forEach(row -> unknown.add(row.toString()));
        for (SubsetRow row : subset.rows()) {
            Task task = train.remove(row.instanceId());
            if (task == null) {
                unknown.add(settings.subset() + ":" + row.line() + ": " + row.instanceId());
            } else {
                chosen.add(task);
            }
        }
        if (!unknown.isEmpty() || chosen.isEmpty()) {
            throw new BadInputException(
                    "tasks.subset names " + unknown.size() + " training tasks that there are not:",
                    unknown.stream().limit(NAMED).toList());
        }
        chosen.addAll(heldOut(pool));
        return new TaskCatalogue(chosen, pool.examples(), pool.rejected());
    }

    private static List<Task> heldOut(TaskCatalogue pool) {
        return pool.tasks().stream().filter(task -> task.split() != Split.TRAIN).toList();
    }
}
