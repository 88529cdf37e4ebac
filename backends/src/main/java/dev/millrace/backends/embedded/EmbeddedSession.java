package dev.millrace.backends.embedded;

import dev.millrace.backends.port.AdamSpec;
import dev.millrace.backends.port.Datum;
import dev.millrace.backends.port.LossResult;
import dev.millrace.backends.port.LossSpec;
import dev.millrace.backends.port.OptimResult;
import dev.millrace.backends.port.TrainerException;
import dev.millrace.backends.port.TrainerSession;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Weights, gradients and optimiser of one policy; all fields are the trainer thread's own. */
public final class EmbeddedSession implements TrainerSession {
    private final EmbeddedTrainer trainer;
    private final String name;
    private Weights weights;
    private Adam optimizer;
    private Weights gradient;
    private boolean gathered;
    private volatile boolean closed;

    EmbeddedSession(EmbeddedTrainer trainer, String name, Weights weights, Adam optimizer) {
        this.trainer = trainer;
        this.name = name;
        this.weights = weights;
        this.optimizer = optimizer;
        gradient = Weights.zeros(weights.shape());
    }

    /** What can be gone back to. */
    record Snapshot(Weights weights, Adam optimizer) {}

    @Override
    public CompletableFuture<LossResult> forwardBackward(
            String effectId, List<Datum> data, LossSpec loss) {
        return gather(data, Objective.clipped(loss));
    }

    /** The same for any objective. */
    CompletableFuture<LossResult> gather(List<Datum> data, Objective objective) {
        List<Datum> kept = List.copyOf(data);
        return call(
                () -> {
                    for (Datum datum : kept) {
                        check(datum);
                    }
                    gathered = true;
                    return trainer.engine().accumulate(weights, kept, objective, gradient);
                });
    }

    @Override
    public CompletableFuture<OptimResult> optimStep(String effectId, AdamSpec adam) {
        return call(
                () -> {
                    OptimResult result = Adam.report(gradient);
                    optimizer = optimizer.update(weights, gradient, adam);
                    gradient = Weights.zeros(weights.shape());
                    gathered = false;
                    return result;
                });
    }

    /**
     * {@inheritDoc}
     *
     * <p>Refused while a gradient is gathered that no update has used yet.
     */
    @Override
    public CompletableFuture<String> saveState(String stateName) {
        return call(
                () -> {
                    if (gathered) {
                        throw new TrainerException(
                                "A gradient is waiting for its update; save after it.", null);
                    }
                    return write(
                            trainer.state(fileName(stateName)),
                            new PolicyFile.Content(weights, optimizer));
                });
    }

    @Override
    public CompletableFuture<String> publish(String publicationName) {
        return call(
                () ->
                        write(
                                trainer.policy(fileName(publicationName)),
                                new PolicyFile.Content(weights, null)));
    }

    /** Copies weights and optimiser. */
    CompletableFuture<Snapshot> snapshot() {
        return call(
                () ->
                        new Snapshot(
                                weights.copy(),
                                new Adam(
                                        optimizer.first().copy(),
                                        optimizer.second().copy(),
                                        optimizer.steps())));
    }

    /** Goes back to a snapshot, which must not be used again. */
    CompletableFuture<Void> rollBack(Snapshot snapshot) {
        return call(
                () -> {
                    weights = snapshot.weights();
                    optimizer = snapshot.optimizer();
                    gradient = Weights.zeros(weights.shape());
                    gathered = false;
                    return null;
                });
    }

    @Override
    public void close() {
        closed = true;
    }

    private <T> CompletableFuture<T> call(java.util.function.Supplier<T> body) {
        if (closed) {
            return CompletableFuture.failedFuture(
                    new TrainerException(
                            TrainerException.Kind.SESSION_LOST,
                            "Trainer session " + name + " is closed.",
                            null));
        }
        return trainer.call(body);
    }

    private String fileName(String chosen) {
        EmbeddedTrainer.checkName(chosen);
        return name + "." + chosen;
    }

    private String write(URI file, PolicyFile.Content content) {
        try {
            trainer.files().create(file, PolicyFile.encode(content));
            return file.toString();
        } catch (FileAlreadyExistsException e) {
            throw new TrainerException(file + " exists; names are used once.", e);
        } catch (IOException e) {
            throw new TrainerException(file + " can't be written.", e);
        }
    }

    private void check(Datum datum) {
        int length = datum.tokens().length;
        boolean fits =
                datum.advantages().length == length && datum.behaviorLogprobs().length == length;
        for (int token : datum.tokens()) {
            fits &= token >= 0 && token < weights.shape().vocabulary();
        }
        if (!fits) {
            throw new TrainerException(
                    "A datum has arrays of different lengths or a token that is none.", null);
        }
    }
}
