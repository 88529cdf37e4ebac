package dev.millrace.backends.image;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarFile;

/** Named files of an image, in a folder or an archive. */
interface Blobs extends Closeable {

    /** A file by its path, or nothing when there is no such regular file. */
    Optional<InputStream> open(String path) throws IOException;

    /** Whether there is a regular file of that path. */
    default boolean has(String path) throws IOException {
        try (InputStream content = open(path).orElse(null)) {
            return content != null;
        }
    }

    /** Those of a folder or of a tar archive. */
    static Blobs of(Path place) throws IOException {
        return Files.isDirectory(place) ? new InFolder(place) : new InArchive(place);
    }

    /** Files below a folder. */
    record InFolder(Path folder) implements Blobs {
        @Override
        public Optional<InputStream> open(String path) throws IOException {
            Path file = folder.resolve(path).normalize();
            if (!file.startsWith(folder) || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                return Optional.empty();
            }
            return Optional.of(Files.newInputStream(file));
        }

        @Override
        public void close() {}
    }

    /** Files in an uncompressed tar archive. */
    final class InArchive implements Blobs {
        private final TarFile archive;

        InArchive(Path file) throws IOException {
            archive = new TarFile(file);
        }

        @Override
        public Optional<InputStream> open(String path) throws IOException {
            for (TarArchiveEntry entry : archive.getEntries()) {
                String name = entry.getName();
                if (entry.isFile() && (name.equals(path) || name.equals("./" + path))) {
                    return Optional.of(archive.getInputStream(entry));
                }
            }
            return Optional.empty();
        }

        @Override
        public void close() throws IOException {
            archive.close();
        }
    }
}
