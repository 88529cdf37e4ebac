package dev.millrace.jobs.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes folders of short-lived files. */
public final class FolderRemoval {
    private static final Logger LOG = LoggerFactory.getLogger(FolderRemoval.class);

    private FolderRemoval() {}

    /** Removes a folder with all it holds, without following links. What stays is logged. */
    public static void remove(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            LOG.warn("Could not be removed folder={}", folder, e);
        }
    }
}
