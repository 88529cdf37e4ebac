package dev.millrace.jobs.launch;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.Path;

/** Finds what a run can go on from, without asking a cluster. */
public final class CompleteCheckpoints {
    private static final int DEPTH = 3;
    static final String METADATA = "_metadata";

    private CompleteCheckpoints() {}

    /**
     * The newest complete checkpoint or savepoint below some folders: the folder that holds its
     * {@code _metadata}, which Flink gives its name when all of it is written. Folders that don't
     * exist hold none.
     *
     * @param roots URIs, of any file system that Flink has
     */
    public static Optional<String> newest(List<String> roots) throws IOException {
        List<FileStatus> complete = new ArrayList<>();
        for (String root : roots) {
            collect(new Path(root), DEPTH, complete);
        }
        return complete.stream()
                .max(Comparator.comparingLong(FileStatus::getModificationTime))
                .map(metadata -> metadata.getPath().getParent().toString());
    }

    /** Walks by hand: folders of a running job come and go. */
    private static void collect(Path folder, int depth, List<FileStatus> found) throws IOException {
        List<FileStatus> inside = list(folder);
        for (FileStatus entry : inside) {
            if (!entry.isDir() && entry.getPath().getName().equals(METADATA)) {
                found.add(entry);
                return;
            }
        }
        if (depth == 1) {
            return;
        }
        for (FileStatus entry : inside) {
            if (entry.isDir()) {
                collect(entry.getPath(), depth - 1, found);
            }
        }
    }

    private static List<FileStatus> list(Path folder) throws IOException {
        try {
            FileStatus[] entries = folder.getFileSystem().listStatus(folder);
            return entries == null ? List.of() : List.of(entries);
        } catch (FileNotFoundException e) {
            return List.of();
        }
    }
}
