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

    /**
     * Starts a process. A caller that is interrupted leaves none: what has started by then is ended
     * before this returns.
     */
    Process start(ProcessBuilder builder) throws IOException {
        Future<Process> starting = thread.submit(builder::start);
        boolean interrupted = false;
        while (true) {
            try {
                Process started = starting.get();
                return interrupted ? end(started) : started;
            } catch (ExecutionException e) {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
                throw new IOException(e.getCause().getMessage(), e.getCause());
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
    }

    private static Process end(Process started) throws InterruptedIOException {
        started.destroyForcibly().onExit().join();
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while starting a process");
    }

    /** To be called once all started processes are gone. */
    @Override
    public void close() {
        thread.shutdown();
    }
}
