package dev.millrace.backends.fake;

import dev.millrace.backends.port.AdamSpec;
import dev.millrace.backends.port.Datum;
import dev.millrace.backends.port.LossResult;
import dev.millrace.backends.port.LossSpec;
import dev.millrace.backends.port.OptimResult;
import dev.millrace.backends.port.TrainerException;
import dev.millrace.backends.port.TrainerSession;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** A session of a {@link FakePolicyTrainer}. */
public final class FakeSession implements TrainerSession {
    private final FakePolicyTrainer trainer;
    private final String name;
    private final Executor device;
    private final Set<String> effects = new HashSet<>();
    private final List<String> calls = new ArrayList<>();
    private final List<String> trained;
    private final List<String> gathered = new ArrayList<>();
    private long weights;
    private long gradient;
    private boolean closed;
    private volatile boolean lost;

    FakeSession(FakePolicyTrainer trainer, String name, FakeState start, Executor device) {
        this.trainer = trainer;
        this.name = name;
        this.device = device;
        this.weights = start.weights();
        this.trained = new ArrayList<>(start.trained());
    }

    /** Its name. */
    public String name() {
        return name;
    }

    /** Every call it was asked for so far, in order: effect ids and names. */
    public synchronized List<String> calls() {
        return List.copyOf(calls);
    }

    /** Whether it was closed. */
    public synchronized boolean closed() {
        return closed;
    }

    /** From now on it is gone: what was asked for and not done fails, and so does all else. */
    public void lose() {
        lost = true;
    }

    @Override
    public CompletableFuture<LossResult> forwardBackward(
            String effectId, List<Datum> data, LossSpec loss) {
        return call(effectId, () -> accumulate(data));
    }

    @Override
    public CompletableFuture<OptimResult> optimStep(String effectId, AdamSpec adam) {
        return call(effectId, this::update);
    }

    @Override
    public CompletableFuture<String> saveState(String stateName) {
        return call("save " + stateName, () -> keep(FakePolicyTrainer.STATES, stateName));
    }

    @Override
    public CompletableFuture<String> publish(String weightsName) {
        return call("publish " + weightsName, () -> keep(FakePolicyTrainer.WEIGHTS, weightsName));
    }

    @Override
    public synchronized void close() {
        closed = true;
    }

    private synchronized <T> CompletableFuture<T> call(String effectId, Supplier<T> work) {
        if (closed || !effects.add(effectId)) {
            String reason = closed ? "The session is closed: " : "The effect was done before: ";
            return CompletableFuture.failedFuture(new TrainerException(reason + effectId, null));
        }
        calls.add(effectId);
        return CompletableFuture.supplyAsync(() -> alive(effectId, work), device);
    }

    private <T> T alive(String effectId, Supplier<T> work) {
        if (lost) {
            throw new TrainerException(
                    TrainerException.Kind.SESSION_LOST,
                    "Session " + name + " is gone: " + effectId,
                    null);
        }
        return work.get();
    }

    private synchronized LossResult accumulate(List<Datum> data) {
        long tokens = 0;
        for (Datum datum : data) {
            gradient = Digest.mix(gradient, Digest.of(datum));
            gathered.add(FakePolicyTrainer.idOf(datum));
            for (float advantage : datum.advantages()) {
                tokens += advantage == 0 ? 0 : 1;
            }
        }
        return new LossResult(-0.5 * tokens, tokens, 0.25, 0.01, 1.5);
    }

    private synchronized OptimResult update() {
        weights = Digest.mix(weights, gradient);
        trained.addAll(gathered);
        gathered.clear();
        gradient = 0;
        return new OptimResult(2, false);
    }

    private synchronized String keep(String prefix, String keptName) {
        return trainer.keep(prefix, keptName, new FakeState(weights, List.copyOf(trained)));
    }
}
