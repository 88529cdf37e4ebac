package dev.millrace.backends.embedded;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** Runs calls on threads of its own, in the order they come; every call's future completes. */
final class CallQueue implements AutoCloseable {
    private final ThreadPoolExecutor threads;
    private final Function<Throwable, RuntimeException> failure;

    /**
     * @param name of the threads
     * @param count of threads
     * @param capacity most calls that wait; more are refused
     * @param failure makes what a future fails with out of what was thrown
     */
    CallQueue(String name, int count, int capacity, Function<Throwable, RuntimeException> failure) {
        this.failure = failure;
        threads =
                new ThreadPoolExecutor(
                        count,
                        count,
                        0,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(capacity),
                        DaemonThreads.named(name));
    }

    <T> CompletableFuture<T> call(Supplier<T> body) {
        Call<T> call = new Call<>(new CompletableFuture<>(), body, failure);
        try {
            threads.execute(call);
        } catch (RejectedExecutionException e) {
            call.refuse(e);
        }
        return call.future();
    }

    /** Refuses what waits; what runs goes on to its end. */
    @Override
    public void close() {
        threads.shutdown();
        while (threads.getQueue().poll() instanceof Call<?> waiting) {
            waiting.refuse(new RejectedExecutionException("closed"));
        }
    }

    private record Call<T>(
            CompletableFuture<T> future,
            Supplier<T> body,
            Function<Throwable, RuntimeException> failure)
            implements Runnable {
        @Override
        public void run() {
            if (future.isDone()) {
                // Nobody waits for it any more.
                return;
            }
            // An Error, too, must end in the future, or whoever waits for it waits for ever.
            try {
                future.complete(body.get());
            } catch (RuntimeException | Error e) {
                future.completeExceptionally(failure.apply(e));
            }
        }

        void refuse(RejectedExecutionException reason) {
            future.completeExceptionally(failure.apply(reason));
        }
    }
}
