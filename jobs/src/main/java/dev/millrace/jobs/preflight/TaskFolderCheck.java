package dev.millrace.jobs.preflight;

import dev.millrace.backends.harbor.HarborTaskException;
import dev.millrace.backends.harbor.HarborTaskLoader;
import dev.millrace.pipeline.settings.TaskSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * Tasks that are read from a folder must be there, and all of them must be usable.
 *
 * @param tasks where tasks come from
 */
public record TaskFolderCheck(TaskSettings tasks) implements Check {
    @Override
    public Optional<String> refusal() {
        if (tasks.source() != TaskSettings.Source.FOLDER) {
            return Optional.empty();
        }
        Path folder = Path.of(tasks.path());
        if (!Files.isDirectory(folder)) {
            return Optional.of(
                    "task folder " + folder + " does not exist; tasks.path must name one");
        }
        Path train = folder.resolve("train");
        Path held = folder.resolve(tasks.evalSplit().name().toLowerCase(Locale.ROOT));
        try {
            HarborTaskLoader loader = new HarborTaskLoader(tasks.hostVariables());
            loader.loadAll(Files.isDirectory(train) ? train : folder);
            if (Files.isDirectory(train) && Files.isDirectory(held)) {
                loader.loadAll(held);
            }
            return Optional.empty();
        } catch (HarborTaskException e) {
            return Optional.of(e.getMessage());
        }
    }
}
