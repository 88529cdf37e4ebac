package dev.millrace.jobs.export;

import dev.millrace.backends.port.TrajectoryStore;
import dev.millrace.backends.store.FileTrajectoryStore;
import dev.millrace.backends.store.TrajectoryCodec;
import dev.millrace.udfs.model.ContentRef;
import dev.millrace.udfs.model.Trajectory;
import dev.millrace.udfs.model.Turn;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/**
 * The trajectories of a run on this machine. They are found below the run's folder wherever it lies
 * now, whatever path the ledger has; their digests tell that they are the same.
 */
final class AttemptContent {
    private static final String FOLDER = "/trajectories/";
    private static final long MOST_BYTES = 64L << 20;

    private final Path folder;
    private final TrajectoryStore store;

    /**
     * @param folder the run's {@code trajectories}
     */
    AttemptContent(Path folder) {
        this.folder = folder.toAbsolutePath().normalize();
        this.store = new FileTrajectoryStore(this.folder);
    }

    /**
     * Reads a trajectory.
     *
     * @throws IOException when it is not there, not what the ledger says, too large or contradicts
     *     itself
     */
    Trajectory read(ContentRef ref) throws IOException {
        if (ref.bytes() > MOST_BYTES) {
            throw new IOException("more than " + MOST_BYTES + " bytes");
        }
        try {
            String path = URI.create(ref.uri()).getPath();
            int at = path.lastIndexOf(FOLDER);
            if (at < 0) {
                throw new IOException("not below a folder of trajectories");
            }
            Path file = folder.resolve(path.substring(at + FOLDER.length()));
            ContentRef here = new ContentRef(file.toUri().toString(), ref.bytes(), ref.sha256());
            return checked(TrajectoryCodec.decode(store.get(here)));
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static Trajectory checked(Trajectory trajectory) throws IOException {
        int tokens = trajectory.tokens().length;
        boolean even = trajectory.mask().length == tokens && trajectory.logprobs().length == tokens;
        if (!even || trajectory.turns() == null) {
            throw new IOException("a trajectory whose parts have other lengths");
        }
        int next = 0;
        for (Turn turn : trajectory.turns()) {
            if (turn.firstToken() < next || turn.generatedTokens() < 0) {
                throw new IOException("a trajectory whose turns overlap");
            }
            next = turn.firstToken() + turn.generatedTokens();
        }
        if (next > tokens || next < 0) {
            throw new IOException("a trajectory whose turns have more tokens than it has");
        }
        return trajectory;
    }
}
