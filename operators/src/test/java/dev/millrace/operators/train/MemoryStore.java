package dev.millrace.operators.train;

import dev.millrace.backends.port.TrajectoryStore;
import dev.millrace.backends.store.TrajectoryCodec;
import dev.millrace.udfs.model.ContentRef;
import dev.millrace.udfs.model.Trajectory;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A store in memory. */
public final class MemoryStore implements TrajectoryStore {
    private Runnable beforeReading = () -> {};
    private final Map<String, byte[]> contents = new ConcurrentHashMap<>();

    @Override
    public ContentRef put(String prefix, String suffix, byte[] content) {
        String uri = "mem:" + prefix + suffix;
        contents.put(uri, content);
        return new ContentRef(uri, content.length, "00");
    }

    /** What is done before each reading. */
    void reading(Runnable action) {
        beforeReading = action;
    }

    @Override
    public byte[] get(ContentRef ref) throws IOException {
        beforeReading.run();
        byte[] content = contents.get(ref.uri());
        if (content == null) {
            throw new IOException("Nothing lies at " + ref.uri());
        }
        return content;
    }

    /** Stores a trajectory of four tokens, two of them sampled; its ids name it. */
    public ContentRef trajectory(String attemptId) {
        Trajectory trajectory =
                new Trajectory(
                        attemptId,
                        "adm",
                        new int[] {1, attemptId.hashCode(), 3, 4},
                        new byte[] {0, 1, 0, 1},
                        new float[] {0, -1, 0, -2},
                        List.of());
        return put(attemptId, TrajectoryCodec.SUFFIX, TrajectoryCodec.encode(trajectory));
    }
}
