package dev.millrace.backends.store;

import dev.millrace.backends.port.ObjectStore;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;

/** Files of a local or shared disk, read-only once they are there. */
public final class LocalObjects implements ObjectStore {
    private static final long serialVersionUID = 1L;

    @Override
    public void create(URI uri, byte[] content) throws IOException {
        Path file = Path.of(uri);
        Files.createDirectories(file.getParent());
        Path partial = Files.createTempFile(file.getParent(), ".partial-", "");
        try {
            try (FileChannel channel = FileChannel.open(partial, StandardOpenOption.WRITE)) {
                ByteBuffer left = ByteBuffer.wrap(content);
                while (left.hasRemaining()) {
                    channel.write(left);
                }
                channel.force(true);
            }
            if (!partial.toFile().setReadable(true, false) || !partial.toFile().setReadOnly()) {
                throw new IOException("Could not make " + partial + " read-only.");
            }
            // Unlike a rename, a link never replaces what is there.
            Files.createLink(file, partial);
        } finally {
            Files.deleteIfExists(partial);
        }
    }

    @Override
    public byte[] read(URI file) throws IOException {
        return Files.readAllBytes(Path.of(file));
    }

    @Override
    public OptionalLong length(URI file) throws IOException {
        try {
            return OptionalLong.of(Files.size(Path.of(file)));
        } catch (NoSuchFileException e) {
            return OptionalLong.empty();
        }
    }
}
