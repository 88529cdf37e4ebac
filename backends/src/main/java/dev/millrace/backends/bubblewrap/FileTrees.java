package dev.millrace.backends.bubblewrap;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Folders of the host with everything in them. */
final class FileTrees {
    private static final Logger LOG = LoggerFactory.getLogger(FileTrees.class);

    private FileTrees() {}

    /** Removes a tree, folders that nobody may write to included. */
    static void remove(Path tree) {
        try {
            Files.walkFileTree(
                    tree,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult preVisitDirectory(
                                Path folder, BasicFileAttributes attributes) {
                            // Fails for somebody else's, which the next call then says.
                            boolean unused = folder.toFile().setWritable(true);
                            return FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                                throws IOException {
                            Files.delete(file);
                            return FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult postVisitDirectory(Path folder, IOException error)
                                throws IOException {
                            Files.delete(folder);
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException gone) {
            LOG.debug("{} can't be removed", tree, gone);
        }
    }
}
