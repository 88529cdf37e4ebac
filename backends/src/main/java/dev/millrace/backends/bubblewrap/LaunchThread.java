package dev.millrace.backends.bubblewrap;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Starts processes from one thread that lives as long as they may. The kernel's parent-death signal
 * fires when the starting thread ends, not when its process does; started from a pool or request
 * thread, a sandbox would die with that thread.
 */
final class LaunchThread implements AutoCloseable {
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(
                    task -> {
                        Thread launcher = new Thread(task, "sandbox-launch");
                        launcher.setDaemon(true);
                        return launcher;
                    });

    Process start(ProcessBuilder builder) throws IOException {
        Future<Process> started = thread.submit(builder::start);
        try {
            return started.get();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause().getMessage(), e.getCause());
        } catch (InterruptedException e) {
            // The process is ended by the parent-death signal or by its closed input.
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while starting a process");
        }
    }

    /** To be called once all started processes are gone. */
    @Override
    public void close() {
        thread.shutdown();
    }
}
