package dev.millrace.backends.modal;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;

/** A command in a container of the stand-in server. */
final class ServedCommand {
    private final Process process;
    private final Spool output = new Spool();
    private final Spool errors = new Spool();
    private final CompletableFuture<Integer> exit = new CompletableFuture<>();
    private long written;
    private boolean inputClosed;

    ServedCommand(Process process) throws IOException {
        this.process = process;
        daemon(() -> output.drain(process.getInputStream()));
        daemon(() -> errors.drain(process.getErrorStream()));
        daemon(() -> exit.complete(awaited(process)));
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "served-command");
        thread.setDaemon(true);
        thread.start();
    }

    /** Kills a process and waits for it. */
    static void end(Process process) {
        process.destroyForcibly();
        awaited(process);
    }

    private static int awaited(Process process) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return process.waitFor();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Its exit code, 128 + n for signal n. */
    CompletableFuture<Integer> exit() {
        return exit;
    }

    Spool stream(int descriptor) {
        return descriptor == 0 ? output : errors;
    }

    /** Takes input from an offset; what is known already is skipped. */
    synchronized void write(long offset, byte[] data, boolean eof) throws IOException {
        OutputStream in = process.getOutputStream();
        int known = (int) Math.min(data.length, Math.max(0, written - offset));
        if (!inputClosed) {
            in.write(data, known, data.length - known);
            in.flush();
            written += data.length - known;
            if (eof) {
                in.close();
                inputClosed = true;
            }
        }
    }

    void close() {
        end(process);
        try {
            process.getOutputStream().close();
        } catch (IOException brokenPipe) {
            // Nobody reads it any more.
        }
        try {
            output.close();
            errors.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
