package dev.millrace.operators.train;

import dev.millrace.backends.port.Datum;
import dev.millrace.backends.port.TrajectoryStore;
import dev.millrace.backends.store.LogprobsCodec;
import dev.millrace.backends.store.TrajectoryCodec;
import dev.millrace.udfs.minibatch.MinibatchPreparation;
import dev.millrace.udfs.minibatch.TokenArrays;
import dev.millrace.udfs.model.Minibatch;
import dev.millrace.udfs.model.MinibatchItem;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.Trajectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Reads what a minibatch points at. What can't be read is left out, with its cause. Blocks. */
final class TrajectoryReader {
    private static final String STAGE = "train";

    private final TrajectoryStore store;
    private final double klCoef;
    private final boolean all;

    /**
     * @param all whether one that can't be read fails the whole minibatch instead of leaving it
     */
    TrajectoryReader(TrajectoryStore store, double klCoef, boolean all) {
        this.store = store;
        this.klCoef = klCoef;
        this.all = all;
    }

    /**
     * Reads a minibatch.
     *
     * @throws UncheckedIOException when all are wanted and one can't be read
     */
    LoadedMinibatch read(Minibatch minibatch) {
        List<Datum> data = new ArrayList<>();
        List<Reject> rejects = new ArrayList<>();
        for (MinibatchItem item : minibatch.items()) {
            try {
                TokenArrays arrays = arrays(item, minibatch.normaliserTokens());
                if (arrays.tokens().length > 0) {
                    data.add(
                            new Datum(
                                    arrays.tokens(),
                                    arrays.advantages(),
                                    arrays.behaviorLogprobs()));
                }
            } catch (IOException e) {
                if (all) {
                    throw new UncheckedIOException(
                            "The trajectory of " + item.attemptId() + " can't be read", e);
                }
                rejects.add(reject(minibatch, item, "trajectory_unreadable", e));
            } catch (IllegalArgumentException e) {
                rejects.add(reject(minibatch, item, "trajectory_invalid", e));
            }
        }
        return new LoadedMinibatch(data, rejects);
    }

    private TokenArrays arrays(MinibatchItem item, long normaliser) throws IOException {
        Trajectory trajectory = TrajectoryCodec.decode(store.get(item.trajectory()));
        if (!item.attemptId().equals(trajectory.attemptId())) {
            throw new IllegalArgumentException("The trajectory is another attempt's");
        }
        // What the stage before could not ask for never comes here; what was kept before there was
        // a penalty is trained as it was made.
        double penalty = item.referenceLogprobs() == null ? 0 : klCoef;
        float[] reference =
                penalty == 0 ? null : LogprobsCodec.decode(store.get(item.referenceLogprobs()));
        return MinibatchPreparation.arrays(trajectory, item, reference, penalty, normaliser);
    }

    private static Reject reject(
            Minibatch minibatch, MinibatchItem item, String reason, Exception cause) {
        String detail = cause.getMessage() == null ? "" : cause.getMessage();
        return new Reject(minibatch.runId(), STAGE, reason, item.attemptId(), detail);
    }
}
