package dev.millrace.jobs.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompleteCheckpointsTest {
    @TempDir Path folder;

    @Test
    void isTheNewestThatHasItsMetadata() throws Exception {
        Path checkpoints = folder.resolve("checkpoints");
        Path savepoints = folder.resolve("savepoints");
        complete(checkpoints.resolve("job-a/chk-9"), 1_000);
        Path newest = complete(checkpoints.resolve("job-b/chk-3"), 3_000);
        complete(savepoints.resolve("savepoint-1"), 2_000);
        Files.createDirectories(checkpoints.resolve("job-b/chk-4"));
        Files.createDirectories(checkpoints.resolve("job-b/shared"));
        assertThat(CompleteCheckpoints.newest(uris(checkpoints, savepoints))).contains(uri(newest));
        assertThat(CompleteCheckpoints.newest(uris(checkpoints.resolve("job-b"))))
                .contains(uri(newest));
    }

    @Test
    void isNoneWhereNothingIsComplete() throws Exception {
        Files.createDirectories(folder.resolve("job/chk-1"));
        assertThat(CompleteCheckpoints.newest(uris(folder, folder.resolve("none")))).isEmpty();
    }

    private static List<String> uris(Path... folders) {
        return Arrays.stream(folders).map(CompleteCheckpointsTest::uri).toList();
    }

    private static String uri(Path folder) {
        return "file:" + folder.toAbsolutePath();
    }

    private static Path complete(Path checkpoint, long written) throws Exception {
        Path metadata = Files.createDirectories(checkpoint).resolve("_metadata");
        Files.writeString(metadata, "");
        Files.setLastModifiedTime(metadata, FileTime.fromMillis(written));
        return checkpoint;
    }
}
