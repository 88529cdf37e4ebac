package dev.millrace.jobs.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds what a run can go on from, without asking a cluster. */
public final class CompleteCheckpoints {
    private static final int DEPTH = 3;
    private static final String METADATA = "_metadata";

    private CompleteCheckpoints() {}

    /**
     * The newest complete checkpoint or savepoint below some folders: the folder that holds its
     * {@code _metadata}, which Flink gives its name when all of it is written. Folders that don't
     * exist hold none.
     */
    public static Optional<Path> newest(List<Path> roots) throws IOException {
        List<Path> complete = new ArrayList<>();
        for (Path root : roots) {
            complete.addAll(complete(root));
        }
        return complete.stream()
                .max(Comparator.comparing(CompleteCheckpoints::written))
                .map(Path::getParent);
    }

    /** Walks by hand: folders of a running job come and go. */
    private static List<Path> complete(Path root) throws IOException {
        List<Path> found = new ArrayList<>();
        collect(root, DEPTH, found);
        return found;
    }

    private static void collect(Path folder, int depth, List<Path> found) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        if (Files.isRegularFile(folder.resolve(METADATA))) {
            found.add(folder.resolve(METADATA));
            return;
        }
        if (depth == 1) {
            return;
        }
        List<Path> inside;
        try (Stream<Path> entries = Files.list(folder)) {
            inside = entries.toList();
        } catch (NoSuchFileException e) {
            return;
        }
        for (Path entry : inside) {
            collect(entry, depth - 1, found);
        }
    }

    private static FileTime written(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException e) {
            // It was removed meanwhile: not the newest.
            return FileTime.fromMillis(0);
        }
    }
}
