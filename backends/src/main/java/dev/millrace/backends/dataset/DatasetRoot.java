package dev.millrace.backends.dataset;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.stream.Stream;

/** A folder that is built aside and takes its place whole, or not at all. */
final class DatasetRoot implements AutoCloseable {
    private static final String NEW = ".new-";
    private static final String OLD = ".old-";

    private final Path root;
    private final Path building;
    private final Path former;

    /** Begins one; what earlier attempts that were killed have left is put right. */
    DatasetRoot(Path root) throws IOException {
        Path absolute = root.toAbsolutePath().normalize();
        long process = ProcessHandle.current().pid();
        this.root = absolute;
        this.building = aside(NEW + process);
        this.former = aside(OLD + process);
        Files.createDirectories(absolute.getParent());
        for (Path left : leftOver(OLD, process)) {
            // Killed between the two renames: the former dataset is the one that is there.
            if (Files.exists(absolute)) {
                remove(left);
            } else {
                Files.move(left, absolute, StandardCopyOption.ATOMIC_MOVE);
            }
        }
        for (Path left : leftOver(NEW, process)) {
            remove(left);
        }
        Files.createDirectory(building);
    }

    private Path aside(String suffix) {
        return root.resolveSibling("." + root.getFileName() + suffix);
    }

    /** Folders aside of this process' number, and of processes that are no more. */
    private List<Path> leftOver(String kind, long process) throws IOException {
        String prefix = aside(kind).getFileName().toString();
        try (Stream<Path> siblings = Files.list(root.getParent())) {
            return siblings.filter(path -> path.getFileName().toString().startsWith(prefix))
                    .filter(path -> ended(path.getFileName().toString(), prefix, process))
                    .toList();
        }
    }

    private static boolean ended(String name, String prefix, long process) {
        String number = name.substring(prefix.length());
        if (!number.matches("\\d{1,18}")) {
            return false;
        }
        long owner = Long.parseLong(number);
        return owner == process || ProcessHandle.of(owner).isEmpty();
    }

    /** Where it is built. */
    Path folder() {
        return building;
    }

    /** Puts it in its place; the former one comes back if that fails. */
    void commit() throws IOException {
        boolean replaces = Files.exists(root);
        if (replaces) {
            Files.move(root, former, StandardCopyOption.ATOMIC_MOVE);
        }
        try {
            Files.move(building, root, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (replaces) {
                Files.move(former, root, StandardCopyOption.ATOMIC_MOVE);
            }
            throw e;
        }
        remove(former);
    }

    @Override
    public void close() {
        try {
            remove(building);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void remove(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        Files.walkFileTree(
                folder,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.delete(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(Path visited, IOException failure)
                            throws IOException {
                        if (failure instanceof DirectoryNotEmptyException) {
                            throw failure;
                        }
                        Files.delete(visited);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
