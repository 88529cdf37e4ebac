package dev.millrace.backends.effect;

import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Blocking calls with a deadline on this side. At the deadline the caller has its answer and the
 * thread is interrupted; one that does not react is left alone and counted, and costs no other call
 * its thread. How many calls there are at once is up to the permits of the callers.
 */
public final class Calls implements AutoCloseable {
    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor threads;
    private final ScheduledThreadPoolExecutor timer;
    private final Set<Call<?>> running = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Threads carry the name. */
    public Calls(String name) {
        threads =
                new ThreadPoolExecutor(
                        0,
                        Integer.MAX_VALUE,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new SynchronousQueue<>(),
                        task -> daemon(task, name));
        timer = new ScheduledThreadPoolExecutor(1, task -> daemon(task, name + "-timer"));
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /**
     * Makes a call. The future fails with what the call throws, with {@link DeadlineException}, or
     * with {@link CancellationException} once this is closed. Cancelling it interrupts the call.
     */
    public <T> CompletableFuture<T> run(String what, long millis, Callable<T> work) {
        return run(what, millis, work, late -> {});
    }

    /**
     * The same.
     *
     * @param late takes a value that came after the answer was given
     */
    public <T> CompletableFuture<T> run(
            String what, long millis, Callable<T> work, Consumer<T> late) {
        Call<T> call = new Call<>(work, late);
        if (closed) {
            call.answer.completeExceptionally(new CancellationException("closed"));
            return call.answer;
        }
        running.add(call);
        ScheduledFuture<?> deadline =
                timer.schedule(
                        () -> call.giveUp(new DeadlineException(what, millis)),
                        millis,
                        TimeUnit.MILLISECONDS);
        call.answer.whenComplete(
                (value, failure) -> {
                    deadline.cancel(false);
                    if (call.answer.isCancelled()) {
                        call.interrupt();
                    }
                });
        threads.execute(call);
        return call.answer;
    }

    /** Completes after that long; fails when this is closed first. */
    public CompletableFuture<Void> after(long millis) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        if (closed) {
            over.completeExceptionally(new CancellationException("closed"));
        } else if (millis <= 0) {
            over.complete(null);
        } else {
            ScheduledFuture<?> timed =
                    timer.schedule(() -> over.complete(null), millis, TimeUnit.MILLISECONDS);
            over.whenComplete((value, failure) -> timed.cancel(false));
        }
        return over;
    }

    /** Does something again and again, until this is closed. */
    public void every(long millis, Runnable action) {
        ScheduledFuture<?> unused =
                timer.scheduleWithFixedDelay(action, millis, millis, TimeUnit.MILLISECONDS);
    }

    /** Calls whose threads still run although their answer is given. */
    public long stuck() {
        return running.stream().filter(call -> call.answer.isDone()).count();
    }

    /** Calls that are waited for. */
    public long underWay() {
        return running.stream().filter(call -> !call.answer.isDone()).count();
    }

    /** No call starts any more; those that run are cancelled. */
    @Override
    public void close() {
        closed = true;
        timer.shutdownNow();
        running.forEach(call -> call.giveUp(new CancellationException("closed")));
        threads.shutdownNow();
    }

    /** Waits until all threads have ended; false when some have not by then. */
    public boolean awaitEnd(long millis) {
        try {
            return threads.awaitTermination(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    private final class Call<T> implements Runnable {
        private final Callable<T> work;
        private final CompletableFuture<T> answer = new CompletableFuture<>();
        private final Consumer<T> late;
        private Thread thread;

        Call(Callable<T> work, Consumer<T> late) {
            this.work = work;
            this.late = late;
        }

        @Override
        public void run() {
            synchronized (this) {
                thread = Thread.currentThread();
            }
            try {
                if (!answer.isDone()) {
                    T value = work.call();
                    if (!answer.complete(value)) {
                        late.accept(value);
                    }
                }
            } catch (Throwable e) {
                // It belongs to whoever waits for the answer.
                answer.completeExceptionally(e);
            } finally {
                synchronized (this) {
                    thread = null;
                    // An interrupt that came late must not hit the next call.
                    Thread.interrupted();
                }
                running.remove(this);
            }
        }

        void giveUp(Throwable why) {
            if (answer.completeExceptionally(why)) {
                interrupt();
            }
        }

        synchronized void interrupt() {
            if (thread != null) {
                thread.interrupt();
            }
        }
    }
}
