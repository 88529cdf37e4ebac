package dev.millrace.operators.admission;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Has the final markers written, once, off the task's thread, when a checkpoint allows it. */
final class Ending implements AutoCloseable {
    private static final long CLOSE_SECONDS = 5;

    private final FinalMarkers markers;
    private long coveringCheckpoint = -1;
    private ExecutorService thread;
    private CompletableFuture<Void> written;

    Ending(FinalMarkers markers) {
        this.markers = markers;
    }

    /** A checkpoint holds that every region has passed the mark behind the last group. */
    void covered(long checkpointId) {
        if (coveringCheckpoint < 0) {
            coveringCheckpoint = checkpointId;
        }
    }

    /** A checkpoint is complete; so is every older one that it subsumes. */
    void complete(long checkpointId) {
        if (coveringCheckpoint < 0 || checkpointId < coveringCheckpoint || written != null) {
            return;
        }
        thread =
                Executors.newSingleThreadExecutor(
                        task -> {
                            Thread created = new Thread(task, "final-markers");
                            created.setDaemon(true);
                            return created;
                        });
        written = CompletableFuture.runAsync(markers::write, thread);
    }

    /**
     * Fails the task if the markers could not be written, so that they are tried again.
     *
     * @throws java.util.concurrent.CompletionException with the reason
     */
    void check() {
        if (written != null && written.isCompletedExceptionally()) {
            written.join();
        }
    }

    @Override
    public void close() {
        if (thread == null) {
            return;
        }
        thread.shutdownNow();
        try {
            thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
