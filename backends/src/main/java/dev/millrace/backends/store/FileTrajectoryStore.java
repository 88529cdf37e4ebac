package dev.millrace.backends.store;

import dev.millrace.backends.port.TrajectoryStore;
import dev.millrace.udfs.model.ContentRef;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * A store in a folder of a local or shared disk. A file gets its name only when its bytes are on
 * the disk, so a reader sees all of it or nothing, also after a crash.
 */
public final class FileTrajectoryStore implements TrajectoryStore {
    private final Path root;

    /** Keeps everything below a folder, which is made when it is not there. */
    public FileTrajectoryStore(Path root) {
        this.root = root.toAbsolutePath().normalize();
    }

    @Override
    public ContentRef put(String prefix, String suffix, byte[] content) throws IOException {
        String digest = Sha256.of(content);
        Path folder = inside(root.resolve(prefix));
        Path file = inside(folder.resolve(digest + suffix));
        if (!file.getParent().equals(folder)) {
            throw new IllegalArgumentException("not the end of a file name: " + suffix);
        }
        ContentRef ref = new ContentRef(file.toUri().toString(), content.length, digest);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            write(folder, file, content);
        }
        return ref;
    }

    private static void write(Path folder, Path file, byte[] content) throws IOException {
        Files.createDirectories(folder);
        Path temporary = folder.resolve("." + UUID.randomUUID() + ".part");
        try {
            try (FileChannel channel =
                    FileChannel.open(
                            temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                ByteBuffer buffer = ByteBuffer.wrap(content);
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
                channel.force(true);
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
        // The name is durable once its folder is.
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public byte[] get(ContentRef ref) throws IOException {
        Path file = inside(Path.of(URI.create(ref.uri())));
        long size = Files.size(file);
        if (size != ref.bytes()) {
            throw new IOException(
                    "'" + file + "' has " + size + " bytes instead of " + ref.bytes());
        }
        byte[] content = Files.readAllBytes(file);
        if (!Sha256.of(content).equals(ref.sha256())) {
            throw new IOException("'" + file + "' has other bytes than its digest says");
        }
        return content;
    }

    private Path inside(Path path) {
        Path normal = path.toAbsolutePath().normalize();
        if (!normal.startsWith(root)) {
            throw new IllegalArgumentException("'" + path + "' is not inside '" + root + "'");
        }
        return normal;
    }
}
