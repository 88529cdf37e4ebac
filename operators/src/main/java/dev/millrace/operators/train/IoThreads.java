package dev.millrace.operators.train;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The few threads that may block: opening sessions and reading trajectories. */
final class IoThreads {
    private static final Logger LOG = LoggerFactory.getLogger(IoThreads.class);
    private static final int THREADS = 2;
    private static final long CLOSE_SECONDS = 5;

    private IoThreads() {}

    static ExecutorService open() {
        return Executors.newFixedThreadPool(
                THREADS,
                task -> {
                    Thread thread = new Thread(task, "trainer-io");
                    thread.setDaemon(true);
                    return thread;
                });
    }

    static void close(ExecutorService io) {
        io.shutdownNow();
        try {
            if (!io.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("A call of the trainer did not end in time seconds={}", CLOSE_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
