package dev.millrace.pipeline.adapters;

import dev.millrace.backends.port.ObjectStore;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.OptionalLong;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.apache.flink.core.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Files of any file system that Flink has a plugin for, with Flink's own credentials. */
public record FlinkObjects() implements ObjectStore {
    private static final Logger LOG = LoggerFactory.getLogger(FlinkObjects.class);

    @Override
    public void create(URI uri, byte[] content) throws IOException {
        Path file = new Path(uri);
        FileSystem files = file.getFileSystem();
        if (length(uri).isPresent()) {
            throw new FileAlreadyExistsException(uri.toString());
        }
        // In a bucket a file appears when it is closed; on a disk, what a crash leaves is told by
        // its length and its checksum.
        try (FSDataOutputStream out = files.create(file, WriteMode.NO_OVERWRITE)) {
            out.write(content);
            if (!files.isDistributedFS()) {
                out.sync();
            }
        } catch (IOException e) {
            removePartial(files, file, content.length);
            throw e;
        }
    }

    @Override
    public byte[] read(URI uri) throws IOException {
        Path file = new Path(uri);
        try (FSDataInputStream in = file.getFileSystem().open(file)) {
            return in.readAllBytes();
        } catch (FileNotFoundException e) {
            NoSuchFileException none = new NoSuchFileException(uri.toString());
            none.initCause(e);
            throw none;
        }
    }

    @Override
    public OptionalLong length(URI uri) throws IOException {
        Path file = new Path(uri);
        try {
            return OptionalLong.of(file.getFileSystem().getFileStatus(file).getLen());
        } catch (FileNotFoundException e) {
            return OptionalLong.empty();
        }
    }

    /** A whole file is left: its writer may have failed after it was done. */
    private static void removePartial(FileSystem files, Path file, long whole) {
        try {
            if (files.exists(file) && files.getFileStatus(file).getLen() != whole) {
                files.delete(file, false);
            }
        } catch (IOException e) {
            LOG.warn("A file that was not written whole may be left file={}", file, e);
        }
    }
}
