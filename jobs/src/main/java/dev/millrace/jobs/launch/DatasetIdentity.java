package dev.millrace.jobs.launch;

import dev.millrace.backends.dataset.SubsetFile;
import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.pipeline.settings.TaskSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Which files of rows a run was begun with: their digests lie in its folder. */
final class DatasetIdentity {
    private static final String FILE = "subsets.sha256";

    private DatasetIdentity() {}

    /**
     * Notes the digests at a first start, compares them at a later one.
     *
     * @throws BadInputException when a run is resumed with other files
     */
    static void settle(TaskSettings settings, Path folder, boolean resume) throws IOException {
        List<String> now = new ArrayList<>();
        if (settings.source() == TaskSettings.Source.DATASET) {
            Path root = Path.of(settings.path());
            now.add(digest("train", root.resolve(settings.trainSubset() + ".jsonl")));
            now.add(digest("eval", root.resolve(settings.heldOutSubset() + ".jsonl")));
        } else if (!settings.subset().isEmpty()) {
            now.add(digest("train", Path.of(settings.subset())));
        }
        Path file = folder.resolve(FILE);
        if (!resume || !Files.exists(file)) {
            if (!now.isEmpty()) {
                Files.createDirectories(folder);
                Files.write(file, now);
            }
            return;
        }
        List<String> begun = Files.readAllLines(file);
        if (!begun.equals(now)) {
            throw new BadInputException(
                    "The run was begun with other rows than these: "
                            + String.join(", ", begun)
                            + " then, "
                            + String.join(", ", now)
                            + " now. Bring the files back, or start a new run with another"
                            + " --output");
        }
    }

    private static String digest(String use, Path file) throws IOException {
        return use + " " + SubsetFile.read(file).sha256();
    }
}
