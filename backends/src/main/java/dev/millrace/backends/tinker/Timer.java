package dev.millrace.backends.tinker;

import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Runs short things later, on one thread that never waits for a server. */
final class Timer implements AutoCloseable {
    private final ScheduledExecutorService thread;

    Timer(String name) {
        thread =
                Executors.newSingleThreadScheduledExecutor(
                        task -> {
                            Thread made = new Thread(task, name);
                            made.setDaemon(true);
                            return made;
                        });
    }

    /** Runs the task later; after the end, tells it so at once. */
    void after(long millis, Runnable task, Runnable closed) {
        try {
            var unused = thread.schedule(task, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            closed.run();
        }
    }

    /** Runs the task again and again. */
    void every(long millis, Runnable task) {
        var unused = thread.scheduleWithFixedDelay(task, 0, millis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
