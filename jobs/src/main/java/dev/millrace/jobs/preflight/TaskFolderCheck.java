package dev.millrace.jobs.preflight;

import dev.millrace.backends.harbor.HarborTaskException;
import dev.millrace.backends.harbor.HarborTaskLoader;
import dev.millrace.backends.harbor.ImageMapping;
import dev.millrace.pipeline.settings.TaskSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Tasks that are read from a folder must be there, and all of them must be usable; subsets must be
 * there.
 *
 * @param tasks where tasks come from
 * @param images that stand for those that tasks name
 */
public record TaskFolderCheck(TaskSettings tasks, ImageMapping images) implements Check {
    /** For tasks on this host's own tool chain. */
    public TaskFolderCheck(TaskSettings tasks) {
        this(tasks, ImageMapping.NONE);
    }

    @Override
    public Optional<String> refusal() {
        Optional<String> missing = missingSubsets();
        if (missing.isPresent() || tasks.source() != TaskSettings.Source.FOLDER) {
            return missing;
        }
        Path folder = Path.of(tasks.path());
        if (!Files.isDirectory(folder)) {
            return Optional.of(
                    "task folder " + folder + " does not exist; tasks.path must name one");
        }
        Path train = folder.resolve("train");
        Path held = folder.resolve(tasks.evalSplit().name().toLowerCase(Locale.ROOT));
        try {
            HarborTaskLoader loader = new HarborTaskLoader(tasks.hostVariables()).on(images);
            loader.loadAll(Files.isDirectory(train) ? train : folder);
            if (Files.isDirectory(train) && Files.isDirectory(held)) {
                loader.loadAll(held);
            }
            return Optional.empty();
        } catch (HarborTaskException e) {
            return Optional.of(e.getMessage());
        }
    }

    private Optional<String> missingSubsets() {
        List<Path> wanted = new ArrayList<>();
        if (tasks.source() == TaskSettings.Source.DATASET) {
            Path root = Path.of(tasks.path());
            wanted.add(root.resolve(tasks.trainSubset() + ".jsonl"));
            wanted.add(root.resolve(tasks.heldOutSubset() + ".jsonl"));
        } else if (!tasks.subset().isEmpty()) {
            wanted.add(Path.of(tasks.subset()));
        }
        List<String> missing =
                wanted.stream()
                        .filter(file -> !Files.isRegularFile(file))
                        .map(Path::toString)
                        .toList();
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "missing subsets: "
                                + String.join(", ", missing)
                                + "; tasks.path, tasks.subset and tasks.evalSubset must name some"
                                + " that dataset prepare or dataset mixed has made");
    }
}
