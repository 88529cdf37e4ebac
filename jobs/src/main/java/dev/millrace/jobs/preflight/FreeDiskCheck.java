package dev.millrace.jobs.preflight;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The output's disk must have room.
 *
 * @param output folder of the run, which need not exist yet
 * @param minFreeMb wanted room, MiB
 */
public record FreeDiskCheck(Path output, long minFreeMb) implements Check {

    @Override
    public Optional<String> refusal() {
        Path existing = output.toAbsolutePath();
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        if (existing == null) {
            return Optional.empty();
        }
        try {
            long free = Files.getFileStore(existing).getUsableSpace() >> 20;
            return free >= minFreeMb
                    ? Optional.empty()
                    : Optional.of(
                            "only "
                                    + free
                                    + " MiB are free where "
                                    + output
                                    + " lies, "
                                    + minFreeMb
                                    + " are wanted; free some, choose another --output, or lower"
                                    + " limits.minFreeDiskMb");
        } catch (IOException e) {
            return Optional.of("free space at " + existing + " is unknown: " + e.getMessage());
        }
    }
}
