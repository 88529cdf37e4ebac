package dev.millrace.pipeline.adapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.backends.port.ObjectStore;
import dev.millrace.backends.store.LocalObjects;
import dev.millrace.backends.store.ObjectTrajectoryStore;
import dev.millrace.udfs.model.ContentRef;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlinkObjectsTest {
    private static final byte[] CONTENT = {1, 2, 3};

    @TempDir Path folder;

    @Test
    void writesAFileOnceAndReadsItBack() throws Exception {
        for (ObjectStore store : new ObjectStore[] {new FlinkObjects(), new LocalObjects()}) {
            URI file = folder.resolve(store.getClass().getSimpleName()).resolve("b.bin").toUri();
            assertThat(store.length(file)).isEmpty();
            assertThatThrownBy(() -> store.read(file)).isInstanceOf(NoSuchFileException.class);
            store.create(file, CONTENT);
            assertThat(store.length(file)).hasValue(3);
            assertThat(store.read(file)).isEqualTo(CONTENT);
            assertThatThrownBy(() -> store.create(file, new byte[9]))
                    .isInstanceOf(FileAlreadyExistsException.class);
            assertThat(store.read(file)).isEqualTo(CONTENT);
        }
    }

    @Test
    void failsWhereNothingCanBeWritten() throws Exception {
        Path blocked = Files.writeString(folder.resolve("blocked"), "no folder");
        URI file = URI.create(blocked.toUri() + "/x");
        assertThatThrownBy(() -> new FlinkObjects().create(file, CONTENT))
                .isInstanceOf(IOException.class);
        assertThat(blocked).hasContent("no folder");
    }

    @Test
    void aTrajectoryHasTheNameOfItsContent() throws Exception {
        ObjectTrajectoryStore trajectories = trajectories();
        ContentRef ref = trajectories.put("run/g1", ".bin", CONTENT);
        assertThat(trajectories.put("run/g1", ".bin", CONTENT)).isEqualTo(ref);
        assertThat(trajectories.get(ref)).isEqualTo(CONTENT);
        assertThatThrownBy(() -> trajectories.get(new ContentRef(ref.uri(), 3, "0".repeat(64))))
                .hasMessageContaining("other bytes than its digest says");
        assertThatThrownBy(() -> trajectories.put("../..", ".bin", CONTENT))
                .hasMessageContaining("is not inside");
        assertThatThrownBy(() -> trajectories.put("run", "/x", CONTENT))
                .hasMessageContaining("not the end of a file name");
    }

    @Test
    void aFileThatWasCutShortIsNotTakenForItsContent() throws Exception {
        ObjectTrajectoryStore trajectories = trajectories();
        ContentRef ref = trajectories.put("run", ".bin", CONTENT);
        Files.write(Path.of(URI.create(ref.uri())), new byte[] {1});
        assertThatThrownBy(() -> trajectories.get(ref))
                .hasMessageContaining("has 1 bytes instead of 3");
        assertThatThrownBy(() -> trajectories.put("run", ".bin", CONTENT))
                .hasMessageContaining("has 1 bytes instead of 3");
    }

    private ObjectTrajectoryStore trajectories() {
        return new ObjectTrajectoryStore(new FlinkObjects(), folder.resolve("t").toUri());
    }
}
