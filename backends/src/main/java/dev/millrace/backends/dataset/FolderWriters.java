package dev.millrace.backends.dataset;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;

/** Writes task folders beside the reader, a bounded number of them under way. */
final class FolderWriters implements AutoCloseable {
    private static final int THREADS = 2;
    private static final int UNDER_WAY = 64;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final Semaphore room = new Semaphore(UNDER_WAY);
    private final AtomicReference<IOException> failure = new AtomicReference<>();

    /** Writing of one folder. */
    interface Write {
        void run() throws IOException;
    }

    /** Starts one as soon as there is room. */
    void write(Write write) throws IOException {
        acquire(1);
        threads.execute(
                () -> {
                    try {
                        write.run();
                    } catch (IOException e) {
                        failure.compareAndSet(null, e);
                    } finally {
                        room.release();
                    }
                });
        rethrow();
    }

    /** Waits for all. */
    void await() throws IOException {
        acquire(UNDER_WAY);
        room.release(UNDER_WAY);
        rethrow();
    }

    private void acquire(int permits) throws IOException {
        try {
            room.acquire(permits);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while writing tasks");
        }
    }

    private void rethrow() throws IOException {
        IOException first = failure.get();
        if (first != null) {
            throw new IOException("a task could not be written: " + first.getMessage(), first);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
