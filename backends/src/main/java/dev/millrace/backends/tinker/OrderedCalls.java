package dev.millrace.backends.tinker;

import dev.millrace.backends.tinker.TinkerException.Kind;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Calls that reach a server in the order they are made here: each is submitted once the one before
 * it is known to be taken, without waiting for its result. Once one could not be submitted none
 * after it is.
 */
final class OrderedCalls {
    private static final int MOST_WAITING = 256;

    private CompletableFuture<Void> tail = CompletableFuture.completedFuture(null);
    private int waiting;

    /** Was taken; its result is still to come. */
    record Taken<T>(CompletableFuture<T> result) {}

    <T> CompletableFuture<T> call(Supplier<CompletableFuture<Taken<T>>> submit) {
        CompletableFuture<Taken<T>> taken;
        synchronized (this) {
            if (waiting == MOST_WAITING) {
                return CompletableFuture.failedFuture(
                        new TinkerException(Kind.BUSY, waiting + " calls wait already"));
            }
            waiting++;
            taken = tail.thenCompose(before -> submit.get());
            tail = taken.thenApply(done -> null);
        }
        var unused = taken.whenComplete((done, failure) -> left());
        return taken.thenCompose(Taken::result);
    }

    private synchronized void left() {
        waiting--;
    }
}
