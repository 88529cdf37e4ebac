package dev.millrace.jobs.preflight;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A new run needs a folder of its own; a resumed one needs the folder that it left.
 *
 * @param output folder of the run
 * @param resume whether the run goes on from an earlier start
 */
public record OutputFolderCheck(Path output, boolean resume) implements Check {

    /** The resolved recipe of a run, in its output folder. */
    public static final String CONFIG = "config.yaml";

    @Override
    public Optional<String> refusal() {
        if (Files.exists(output) && !Files.isDirectory(output)) {
            return Optional.of("output " + output + " is not a folder; choose another --output");
        }
        if (resume) {
            return Files.isRegularFile(output.resolve(CONFIG))
                    ? Optional.empty()
                    : Optional.of(
                            "output " + output + " holds no run to resume; leave --resume out");
        }
        if (!isEmpty()) {
            return Optional.of(
                    "output "
                            + output
                            + " is not empty; add --resume to go on with its run, or choose"
                            + " another --output");
        }
        return writable(output.toAbsolutePath());
    }

    private boolean isEmpty() {
        if (!Files.exists(output)) {
            return true;
        }
        try (Stream<Path> entries = Files.list(output)) {
            return entries.findAny().isEmpty();
        } catch (IOException e) {
            return false;
        }
    }

    private Optional<String> writable(Path folder) {
        Path existing = folder;
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        return existing == null || !Files.isDirectory(existing) || !Files.isWritable(existing)
                ? Optional.of("output " + output + " can't be made: no right to write there")
                : Optional.empty();
    }
}
