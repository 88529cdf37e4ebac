package dev.millrace.backends.sandbox;

import dev.millrace.backends.port.SandboxException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Runs something of short, bounded length that a cancelled caller must not cut in half, because
 * others rely on its outcome.
 */
public final class Uninterrupted {
    private Uninterrupted() {}

    /** What is run. */
    public interface Task<T> {
        /** Runs it. */
        T call() throws SandboxException;
    }

    /** Runs it in a thread of its own, waits for it, and keeps an interrupt for the caller. */
    public static <T> T call(String threadName, Task<T> task) throws SandboxException {
        FutureTask<T> future = new FutureTask<>(task::call);
        Thread thread = new Thread(future, threadName);
        thread.setDaemon(true);
        thread.start();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    if (e.getCause() instanceof SandboxException cause) {
                        throw cause;
                    }
                    throw new IllegalStateException(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
