package dev.millrace.jobs.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds what a resumed run starts from. */
final class Restore {
    private static final int DEPTH = 3;

    private Restore() {}

    /** The newest complete checkpoint or savepoint: the folder that holds its {@code _metadata}. */
    static Optional<Path> newest(RunFolder folder) throws IOException {
        List<Path> complete = new ArrayList<>(complete(folder.checkpoints()));
        complete.addAll(complete(folder.savepoints()));
        return complete.stream().max(Comparator.comparing(Restore::written)).map(Path::getParent);
    }

    private static List<Path> complete(Path root) throws IOException {
        if (!Files.isDirectory(root)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(root, DEPTH)) {
            return files.filter(file -> file.endsWith("_metadata")).toList();
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
