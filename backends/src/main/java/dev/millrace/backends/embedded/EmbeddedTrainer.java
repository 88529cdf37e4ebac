package dev.millrace.backends.embedded;

import dev.millrace.backends.port.ObjectStore;
import dev.millrace.backends.port.PolicyTrainer;
import dev.millrace.backends.port.TrainerException;
import dev.millrace.backends.store.LocalObjects;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Trains policies of this package on one thread of its own. Saved states lie in {@code
 * <directory>/states}, publications in {@code <directory>/policies}; both are files named {@code
 * <session>.<name>}.
 */
public final class EmbeddedTrainer implements PolicyTrainer {
    private static final int MAX_WAITING_CALLS = 256;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,150}");

    private final ObjectStore files;
    private final String directory;
    private final ModelShape shape;
    private final long seed;
    private final GradientEngine engine = new GradientEngine();
    private final CallQueue calls;

    /** Keeps states and publications in a folder of a disk; see the other constructor. */
    public EmbeddedTrainer(Path directory, ModelShape shape, long seed) {
        this(new LocalObjects(), directory.toAbsolutePath().toUri(), shape, seed);
    }

    /**
     * @param files keeps states and publications
     * @param directory below which they go
     * @param shape of the initial policy
     * @param seed of the initial policy's random weights
     */
    public EmbeddedTrainer(ObjectStore files, URI directory, ModelShape shape, long seed) {
        this.files = files;
        String normal = directory.toString();
        this.directory = normal.endsWith("/") ? normal : normal + "/";
        this.shape = shape;
        this.seed = seed;
        calls = new CallQueue("embedded-trainer", 1, MAX_WAITING_CALLS, EmbeddedTrainer::failure);
    }

    @Override
    public EmbeddedSession open(String name, String stateUri) {
        checkName(name);
        if (stateUri.isEmpty()) {
            return new EmbeddedSession(this, name, Weights.random(shape, seed), Adam.fresh(shape));
        }
        try {
            PolicyFile.Content state =
                    PolicyFile.decode(files.read(URI.create(stateUri)), stateUri);
            if (state.optimizer() == null) {
                throw new TrainerException(
                        stateUri + " is a publication; open a saved state instead.", null);
            }
            return new EmbeddedSession(this, name, state.weights(), state.optimizer());
        } catch (IOException | IllegalArgumentException e) {
            throw new TrainerException("The trainer state " + stateUri + " can't be read.", e);
        }
    }

    @Override
    public void close() {
        calls.close();
    }

    GradientEngine engine() {
        return engine;
    }

    ObjectStore files() {
        return files;
    }

    URI state(String name) {
        return URI.create(directory + "states/" + name);
    }

    URI policy(String name) {
        return URI.create(directory + "policies/" + name);
    }

    /** Runs a call after those made before it. */
    <T> CompletableFuture<T> call(Supplier<T> body) {
        return calls.call(body);
    }

    static void checkName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new TrainerException(
                    "\"" + name + "\" is no name: use letters, digits, '.', '_' and '-'.", null);
        }
    }

    private static RuntimeException failure(Throwable thrown) {
        if (thrown instanceof TrainerException known) {
            return known;
        }
        return thrown instanceof RejectedExecutionException
                ? new TrainerException("The trainer is closed or has too many calls.", thrown)
                : new TrainerException("The trainer failed.", thrown);
    }
}
