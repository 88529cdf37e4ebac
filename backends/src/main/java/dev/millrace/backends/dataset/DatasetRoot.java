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

/** A folder that is built aside and takes its place whole, or not at all. */
final class DatasetRoot implements AutoCloseable {
    private final Path root;
    private final Path building;
    private final Path former;

    /** Begins one; what an earlier attempt of this process' number has left is removed. */
    DatasetRoot(Path root) throws IOException {
        Path absolute = root.toAbsolutePath().normalize();
        String suffix = "-" + ProcessHandle.current().pid();
        this.root = absolute;
        this.building = absolute.resolveSibling("." + absolute.getFileName() + ".new" + suffix);
        this.former = absolute.resolveSibling("." + absolute.getFileName() + ".old" + suffix);
        Files.createDirectories(absolute.getParent());
        remove(building);
        Files.createDirectory(building);
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
