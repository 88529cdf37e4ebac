package dev.millrace.pipeline.topology;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.local.LocalFileSystem;
import org.apache.flink.core.fs.local.LocalRecoverableWriter;

/**
 * Local files, with something to be done before a checkpoint's metadata is written: when all tasks
 * have passed its barrier and it is not complete.
 */
public final class GatedFileSystem extends LocalFileSystem {
    static final String SCHEME = "gated";
    static final AtomicReference<Runnable> BEFORE_COMPLETION = new AtomicReference<>(() -> {});

    @Override
    public URI getUri() {
        return URI.create(SCHEME + ":///");
    }

    @Override
    public FSDataOutputStream create(Path path, FileSystem.WriteMode mode) throws IOException {
        if (path.getName().equals("_metadata")) {
            BEFORE_COMPLETION.get().run();
        }
        return super.create(path, mode);
    }

    @Override
    public LocalRecoverableWriter createRecoverableWriter() {
        throw new UnsupportedOperationException("metadata is to come by create");
    }

    /** Found as a service. */
    public static final class Factory implements FileSystemFactory {
        @Override
        public String getScheme() {
            return SCHEME;
        }

        @Override
        public FileSystem create(URI uri) {
            return new GatedFileSystem();
        }
    }
}
