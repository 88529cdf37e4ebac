package dev.millrace.jobs.launch;

import dev.millrace.backends.harbor.PackedTasks;
import dev.millrace.jobs.cli.BadInputException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.apache.flink.core.fs.UnsupportedFileSystemSchemeException;

/** The small files of a run in a bucket, copied to this machine while the run is prepared. */
public final class RemoteFiles {
    /** All tasks of a run, packed. */
    static final String TASKS = "tasks.zip";

    private static final List<String> COPIED = List.of("config.yaml", "run.json", "summary.json");

    private final RunFolder folder;

    /** The files of one run. */
    public RemoteFiles(RunFolder folder) {
        this.folder = folder;
    }

    /**
     * Copies what is there, after having seen that the bucket can be written.
     *
     * @throws BadInputException when it can't, or can't be reached; says why
     */
    public void fetch() throws IOException {
        check();
        for (String name : COPIED) {
            org.apache.flink.core.fs.Path from = at(name);
            try (FSDataInputStream in = from.getFileSystem().open(from)) {
                Files.write(folder.root().resolve(name), in.readAllBytes());
            } catch (FileNotFoundException notThere) {
                Files.deleteIfExists(folder.root().resolve(name));
            }
        }
    }

    /** Puts the tasks where every machine finds them. Those of an earlier start stay. */
    public void putTasks() throws IOException {
        org.apache.flink.core.fs.Path archive = at(TASKS);
        if (Files.isDirectory(folder.tasks()) && !archive.getFileSystem().exists(archive)) {
            put(TASKS, PackedTasks.pack(folder.tasks()));
        }
    }

    /** Copies one file of this machine to the run. */
    public void put(String name) throws IOException {
        put(name, Files.readAllBytes(folder.root().resolve(name)));
    }

    private void put(String name, byte[] content) throws IOException {
        org.apache.flink.core.fs.Path to = at(name);
        try (FSDataOutputStream out = to.getFileSystem().create(to, WriteMode.OVERWRITE)) {
            out.write(content);
        }
    }

    private void check() {
        String probe = ".probe-" + UUID.randomUUID();
        try {
            list();
            put(probe, new byte[] {1});
            FileSystem.get(folder.uri(probe)).delete(at(probe), false);
        } catch (UnsupportedFileSystemSchemeException e) {
            throw new BadInputException(
                    "--output "
                            + folder.shared()
                            + ": Flink has no file system for it here; put its plugin into plugins/"
                            + " (flink-s3-fs-hadoop for s3a://) of every machine and of this one");
        } catch (IOException e) {
            throw new BadInputException(
                    "--output "
                            + folder.shared()
                            + " can't be written: "
                            + StorageFault.explain(e));
        }
    }

    /** Sends nothing yet: a server that hangs up on what it refuses is asked again for minutes. */
    private void list() throws IOException {
        org.apache.flink.core.fs.Path root = new org.apache.flink.core.fs.Path(folder.shared());
        try {
            root.getFileSystem().listStatus(root);
        } catch (FileNotFoundException newRun) {
            return;
        }
    }

    private org.apache.flink.core.fs.Path at(String name) {
        return new org.apache.flink.core.fs.Path(folder.uri(name));
    }

    /** Where the small files of a remote run are worked on. */
    public static Path workFolder() throws IOException {
        return Files.createTempDirectory("millrace-run-");
    }
}
