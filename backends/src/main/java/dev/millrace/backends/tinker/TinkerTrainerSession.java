package dev.millrace.backends.tinker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.backends.port.AdamSpec;
import dev.millrace.backends.port.Datum;
import dev.millrace.backends.port.LossResult;
import dev.millrace.backends.port.LossSpec;
import dev.millrace.backends.port.OptimResult;
import dev.millrace.backends.port.TrainerException;
import dev.millrace.backends.port.TrainerSession;
import dev.millrace.backends.tinker.ServerTraits.Reduction;
import dev.millrace.backends.tinker.TinkerException.Kind;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * A session with a model on a server. A training call that fails leaves weights that nobody knows:
 * the session answers nothing after it.
 */
public final class TinkerTrainerSession implements TrainerSession {
    private final TinkerSettings settings;
    private final String name;
    private final ServerSession session;
    private final TinkerModel model;
    private final LossData losses;
    private final Map<Long, CompletableFuture<?>> open = new ConcurrentHashMap<>();
    private final CompletableFuture<Void> lost = new CompletableFuture<>();
    private long calls;
    private boolean gathered;
    private TrainerException ended;

    TinkerTrainerSession(
            TinkerSettings settings, String name, ServerSession session, TinkerModel model) {
        this.settings = settings;
        this.name = name;
        this.session = session;
        this.model = model;
        this.losses = new LossData(settings);
        var unused =
                session.lost()
                        .whenComplete(
                                (never, why) ->
                                        end(
                                                TrainerException.Kind.SESSION_LOST,
                                                TinkerException.of(why)));
    }

    /**
     * {@inheritDoc}
     *
     * <p>A server that averages takes one call for each update.
     */
    @Override
    public synchronized CompletableFuture<LossResult> forwardBackward(
            String effectId, List<Datum> data, LossSpec loss) {
        List<Datum> kept = List.copyOf(data);
        List<LossDatum> shifted;
        try {
            shifted = losses.of(kept);
        } catch (TinkerException e) {
            return CompletableFuture.failedFuture(new TrainerException(e.getMessage(), e));
        }
        if (gathered && settings.traits().reduction() == Reduction.MEAN) {
            return refused("This server averages over sequences: one gradient for each update.");
        }
        gathered = true;
        return call(
                effectId,
                () ->
                        model.forwardBackward(shifted, loss)
                                .thenApply(logprobs -> LossMeasure.of(kept, logprobs, loss)));
    }

    @Override
    public synchronized CompletableFuture<OptimResult> optimStep(String effectId, AdamSpec adam) {
        gathered = false;
        return call(
                effectId, () -> model.optimStep(adam).thenApply(TinkerTrainerSession::measured));
    }

    /**
     * {@inheritDoc}
     *
     * <p>Refused while a gradient is gathered that no update has used yet.
     */
    @Override
    public synchronized CompletableFuture<String> saveState(String stateName) {
        return gathered
                ? refused("A gradient is waiting for its update; save after it.")
                : keep(stateName, model::save);
    }

    @Override
    public synchronized CompletableFuture<String> publish(String publicationName) {
        return keep(publicationName, model::publish);
    }

    @Override
    public CompletableFuture<Void> lost() {
        return lost.copy();
    }

    /** Gives the adapter back; the server drops it when this goes unheard. */
    @Override
    public void close() {
        var unused = end();
    }

    /** Ends the session; done once the server has dropped the adapter. */
    CompletableFuture<Void> end() {
        end(gone(TrainerException.Kind.SESSION_LOST, new TinkerException(Kind.CLOSED, "closed")));
        session.close();
        return model.unload();
    }

    private CompletableFuture<String> keep(
            String what, java.util.function.Function<String, CompletableFuture<String>> how) {
        try {
            String escaped = CheckpointName.of(what);
            return call(what, () -> how.apply(escaped));
        } catch (TinkerException e) {
            return CompletableFuture.failedFuture(new TrainerException(e.getMessage(), e));
        }
    }

    private synchronized <T> CompletableFuture<T> call(
            String what, Supplier<CompletableFuture<T>> work) {
        if (ended != null) {
            return CompletableFuture.failedFuture(ended);
        }
        CompletableFuture<T> answer = new CompletableFuture<>();
        long number = calls++;
        open.put(number, answer);
        var unused =
                work.get()
                        .whenComplete(
                                (value, thrown) -> {
                                    open.remove(number);
                                    if (thrown == null) {
                                        answer.complete(value);
                                    } else {
                                        answer.completeExceptionally(
                                                failure(what, TinkerException.of(thrown)));
                                    }
                                });
        return answer;
    }

    private TrainerException failure(String what, TinkerException e) {
        String message = what + " in session " + name + ": " + e.getMessage();
        if (e.kind() == Kind.CONFLICT) {
            return new TrainerException(message, e);
        }
        TrainerException.Kind kind =
                e.modelGone()
                        ? TrainerException.Kind.SESSION_LOST
                        : e.passing()
                                ? TrainerException.Kind.TIMED_OUT
                                : TrainerException.Kind.FAILED;
        TrainerException failure = new TrainerException(kind, message, e);
        end(failure);
        return failure;
    }

    private void end(TrainerException.Kind kind, TinkerException why) {
        TrainerException gone = gone(kind, why);
        end(gone);
        lost.completeExceptionally(gone);
    }

    private TrainerException gone(TrainerException.Kind kind, TinkerException why) {
        return new TrainerException(
                kind, "Trainer session " + name + " is gone: " + why.getMessage(), why);
    }

    private void end(TrainerException why) {
        synchronized (this) {
            if (ended != null) {
                return;
            }
            ended = why;
        }
        open.values().forEach(answer -> answer.completeExceptionally(why));
    }

    private static <T> CompletableFuture<T> refused(String why) {
        return CompletableFuture.failedFuture(new TrainerException(why, null));
    }

    /** What is called here without this session's own order and rules. */
    TinkerModel model() {
        return model;
    }

    static OptimResult measured(JsonNode metrics) {
        double norm = Double.NaN;
        var names = metrics.fieldNames();
        while (names.hasNext()) {
            String metric = names.next();
            if (!metrics.path(metric).isNull()
                    && !Double.isFinite(metrics.path(metric).asDouble())) {
                throw new TinkerException(
                        Kind.OPERATION, "the server measured " + metric + " and got no number");
            }
            if (metric.contains("grad_norm")) {
                norm = metrics.path(metric).asDouble();
            }
        }
        return new OptimResult(norm, false);
    }
}
