package dev.millrace.backends.harbor;

import dev.millrace.backends.port.ObjectStore;
import dev.millrace.backends.store.Sha256;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tasks in one archive of an {@link ObjectStore}, for machines that share no disk: {@code
 * <archive>!/<folder in it>}. The archive is fetched once and unpacked below a folder of this
 * machine.
 */
public final class PackedTasks implements TaskFolders {
    private static final Logger LOG = LoggerFactory.getLogger(PackedTasks.class);
    private static final String INSIDE = "!/";
    private static final long MOST_BYTES = 1L << 30;

    /** First part of a name in the archive: archives of this platform's library know no modes. */
    private static final String EXECUTABLE = "x/";

    private static final String PLAIN = "-/";

    private final ObjectStore objects;
    private final Path scratch;
    private Path unpacked;

    /** Unpacks below {@code scratch}. */
    public PackedTasks(ObjectStore objects, Path scratch) {
        this.objects = objects;
        this.scratch = scratch;
    }

    /** The URI of a task in an archive. */
    public static String uri(URI archive, String folder) {
        return archive + INSIDE + folder;
    }

    /** Packs a folder; the same files give the same bytes. */
    public static byte[] pack(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(folder)) {
            files = walk.filter(Files::isRegularFile).sorted().toList();
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Path file : files) {
                String mode = Files.isExecutable(file) ? EXECUTABLE : PLAIN;
                ZipEntry entry = new ZipEntry(mode + folder.relativize(file));
                entry.setTime(0);
                zip.putNextEntry(entry);
                Files.copy(file, zip);
                zip.closeEntry();
            }
        }
        return bytes.toByteArray();
    }

    @Override
    public synchronized Path of(URI task) throws IOException {
        String text = task.toString();
        int inside = text.indexOf(INSIDE);
        if (inside < 0) {
            return Path.of(task);
        }
        if (unpacked == null) {
            unpacked = unpack(objects.read(URI.create(text.substring(0, inside))));
        }
        Path folder = unpacked.resolve(text.substring(inside + INSIDE.length())).normalize();
        if (!folder.startsWith(unpacked)) {
            throw new IOException(text + " is not inside its archive");
        }
        return folder;
    }

    /** Named by what is in it: other instances on this machine find it there. */
    private Path unpack(byte[] archive) throws IOException {
        Path root = scratch.toAbsolutePath().resolve("tasks-" + Sha256.of(archive));
        if (!Files.isDirectory(root)) {
            Files.createDirectories(scratch);
            Path partial = Files.createTempDirectory(scratch, "unpacking-").toRealPath();
            unpack(archive, partial);
            try {
                Files.move(partial, root, StandardCopyOption.ATOMIC_MOVE);
            } catch (FileSystemException e) {
                if (!Files.isDirectory(root)) {
                    throw e;
                }
                LOG.debug("Another instance was quicker folder={}", root);
            }
        }
        return root;
    }

    private static void unpack(byte[] archive, Path root) throws IOException {
        long left = MOST_BYTES;
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(archive))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                String name = entry.getName();
                Path file = root.resolve(name.substring(PLAIN.length())).normalize();
                if (!file.startsWith(root)) {
                    throw new IOException("the archive of tasks names a file outside: " + name);
                }
                Files.createDirectories(file.getParent());
                left -= Files.copy(zip, file);
                if (left < 0) {
                    throw new IOException("the archive of tasks unpacks to more than 1 GiB");
                }
                if (name.startsWith(EXECUTABLE) && !file.toFile().setExecutable(true, false)) {
                    throw new IOException("could not make " + file + " executable");
                }
            }
        }
    }
}
