package dev.millrace.operators.train;

import dev.millrace.backends.port.LossResult;
import dev.millrace.backends.port.OptimResult;
import dev.millrace.backends.port.PolicyTrainer;
import dev.millrace.backends.port.TrainerException;
import dev.millrace.backends.port.TrainerSession;
import dev.millrace.udfs.model.Minibatch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * The calls to one trainer session, in the order in which they were made here: a minibatch is
 * submitted once it is read and all that was called for before it has been submitted; nothing waits
 * for an answer. Nothing blocks the caller. A call that is not answered in time, counted from the
 * answer to the one before it, fails with {@link TrainerException}.
 */
final class SessionCalls implements AutoCloseable {
    private final TrainerSettings settings;
    private final TrajectoryReader reader;
    private final Executor io;
    private final CompletableFuture<TrainerSession> session;
    private CompletableFuture<TrainerSession> submitted;

    /** Completes with the answer to the last call; only what is submitted in order touches it. */
    private CompletableFuture<?> answered = CompletableFuture.completedFuture(null);

    /** Opens a session. */
    SessionCalls(
            TrainerSettings settings,
            PolicyTrainer trainer,
            TrajectoryReader reader,
            Executor io,
            String name,
            String stateUri) {
        this.settings = settings;
        this.reader = reader;
        this.io = io;
        this.session =
                inTime(
                        "open " + name,
                        CompletableFuture.supplyAsync(() -> trainer.open(name, stateUri), io));
        this.submitted = session;
    }

    /**
     * Trains on a minibatch.
     *
     * @param effectId names it in this session
     */
    CompletableFuture<TrainedMinibatch> train(String effectId, Minibatch minibatch) {
        CompletableFuture<LoadedMinibatch> loaded =
                CompletableFuture.supplyAsync(() -> reader.read(minibatch), io);
        CompletableFuture<Submitted<TrainedMinibatch>> call =
                submitted.thenCombine(
                        loaded, (open, data) -> new Submitted<>(submit(open, effectId, data)));
        submitted = call.thenCombine(session, (done, open) -> open);
        return call.thenCompose(Submitted::answer);
    }

    CompletableFuture<String> save(String name) {
        return inOrder("save", name, TrainerSession::saveState);
    }

    CompletableFuture<String> publish(String name) {
        return inOrder("publish", name, TrainerSession::publish);
    }

    /** Fails once the session, having been opened, is gone. */
    CompletableFuture<Void> lost() {
        return session.exceptionally(unopened -> null)
                .thenCompose(open -> open == null ? new CompletableFuture<>() : open.lost());
    }

    /** Closes the session, now or as soon as it is open. */
    @Override
    public void close() {
        CompletableFuture<Void> closed = session.thenAccept(TrainerSession::close);
        if (closed.isCompletedExceptionally() && !session.isCompletedExceptionally()) {
            closed.join();
        }
    }

    private CompletableFuture<TrainedMinibatch> submit(
            TrainerSession open, String effectId, LoadedMinibatch minibatch) {
        List<CompletableFuture<LossResult>> losses = new ArrayList<>();
        List<CompletableFuture<OptimResult>> updates = new ArrayList<>();
        int passes = minibatch.data().isEmpty() ? 0 : settings.passes();
        for (int pass = 0; pass < passes; pass++) {
            String id = effectId + "/p" + pass;
            String forward = id + "/fb";
            String optimizer = id + "/opt";
            losses.add(
                    inTime(
                            forward,
                            open.forwardBackward(forward, minibatch.data(), settings.loss())));
            updates.add(inTime(optimizer, open.optimStep(optimizer, settings.adam())));
        }
        return AllAnswers.of(
                        Stream.of(losses, updates)
                                .flatMap(List::stream)
                                .toArray(CompletableFuture<?>[]::new))
                .thenApply(
                        done ->
                                new TrainedMinibatch(
                                        joined(losses), joined(updates), minibatch.rejects()));
    }

    private CompletableFuture<String> inOrder(String what, String name, Keep keep) {
        CompletableFuture<Submitted<String>> call =
                submitted.thenApply(
                        open -> new Submitted<>(inTime(what + " " + name, keep.call(open, name))));
        submitted = call.thenCombine(session, (done, open) -> open);
        return call.thenCompose(Submitted::answer);
    }

    /** The answer, or a failure once it took too long after the answer to the call before it. */
    private <T> CompletableFuture<T> inTime(String call, CompletableFuture<T> answer) {
        CompletableFuture<T> bounded = answer.copy();
        var unused =
                answered.whenComplete(
                        (before, error) ->
                                bounded.orTimeout(settings.callMillis(), TimeUnit.MILLISECONDS));
        answered = bounded;
        return bounded.exceptionallyCompose(
                error ->
                        CompletableFuture.failedFuture(
                                error instanceof TimeoutException ? late(call) : error));
    }

    private TrainerException late(String call) {
        return new TrainerException(
                TrainerException.Kind.TIMED_OUT,
                "The trainer did not answer within "
                        + settings.callMillis()
                        + " ms, train.stepTimeout: "
                        + call,
                null);
    }

    private static <T> List<T> joined(List<CompletableFuture<T>> answers) {
        return answers.stream().map(CompletableFuture::join).toList();
    }

    /** Was submitted; its answer is still to come. */
    private record Submitted<T>(CompletableFuture<T> answer) {}

    private interface Keep {
        CompletableFuture<String> call(TrainerSession session, String name);
    }
}
