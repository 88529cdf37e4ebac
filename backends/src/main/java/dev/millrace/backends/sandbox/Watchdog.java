package dev.millrace.backends.sandbox;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs short actions after a delay. Every blocking read and write here is guarded by one that ends
 * the other side.
 */
public final class Watchdog implements AutoCloseable {
    private final ScheduledThreadPoolExecutor timer;

    /** With threads of its own. */
    public Watchdog() {
        timer =
                new ScheduledThreadPoolExecutor(
                        2,
                        task -> {
                            Thread thread = new Thread(task, "sandbox-watchdog");
                            thread.setDaemon(true);
                            return thread;
                        });
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** A guard that is disarmed by closing it. */
    public Guard arm(long millis, Runnable action) {
        ScheduledFuture<?> future = timer.schedule(action, millis, TimeUnit.MILLISECONDS);
        return () -> future.cancel(false);
    }

    /** Runs an action again and again, until the end. */
    public void every(long millis, Runnable action) {
        // Nobody waits for the end of it.
        Future<?> unused =
                timer.scheduleWithFixedDelay(action, millis, millis, TimeUnit.MILLISECONDS);
    }

    /** See {@link Watchdog#arm}. */
    public interface Guard extends AutoCloseable {
        @Override
        void close();
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
