package dev.millrace.jobs.launch;

import dev.millrace.backends.dataset.Digests;
import dev.millrace.backends.dataset.SubsetFile;
import dev.millrace.pipeline.settings.TaskSettings;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.Task;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Collectors;

/**
 * Identity of a run's tasks: of the files of rows where there are any, else of the ids in their
 * order.
 *
 * @param train of those that are trained on, SHA-256
 * @param heldOut of those that measure, SHA-256
 */
record CatalogueDigests(String train, String heldOut) {

    static CatalogueDigests of(TaskSettings settings, TaskCatalogue catalogue) throws IOException {
        if (settings.source() == TaskSettings.Source.DATASET) {
            Path root = Path.of(settings.path());
            return new CatalogueDigests(
                    settings.fromTopic()
                            ? ids(catalogue, true)
                            : file(root.resolve(settings.trainSubset() + ".jsonl")),
                    file(root.resolve(settings.heldOutSubset() + ".jsonl")));
        }
        return new CatalogueDigests(
                settings.subset().isEmpty()
                        ? ids(catalogue, true)
                        : file(Path.of(settings.subset())),
                ids(catalogue, false));
    }

    private static String file(Path file) throws IOException {
        return SubsetFile.read(file).sha256();
    }

    private static String ids(TaskCatalogue catalogue, boolean train) {
        String ids =
                catalogue.tasks().stream()
                        .filter(task -> (task.split() == Split.TRAIN) == train)
                        .map(Task::taskId)
                        .collect(Collectors.joining("\n"));
        return Digests.sha256(ids.getBytes(StandardCharsets.UTF_8));
    }
}
