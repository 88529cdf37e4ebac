package dev.millrace.jobs.local;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Lets a run end in order when Ctrl-C or a termination signal comes: the hook asks it to stop and
 * waits, for a bounded time, until it has. Java then ends the process with 128 plus the signal's
 * number, 130 for Ctrl-C.
 */
public final class StopSignal implements AutoCloseable {
    private final Runnable stop;
    private final Duration grace;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicBoolean requested = new AtomicBoolean();
    private final Thread hook = new Thread(this::onSignal, "stop-signal");

    private StopSignal(Runnable stop, Duration grace) {
        this.stop = stop;
        this.grace = grace;
    }

    /**
     * Waits for signals from now on.
     *
     * @param stop asks the run to stop; returns at once
     * @param grace longest time that the run may take to end
     */
    public static StopSignal install(Runnable stop, Duration grace) {
        StopSignal signal = new StopSignal(stop, grace);
        Runtime.getRuntime().addShutdownHook(signal.hook);
        return signal;
    }

    /** Whether a signal came. */
    public boolean requested() {
        return requested.get();
    }

    /** Says that the run has ended, in order or not. */
    @Override
    public void close() {
        ended.countDown();
        if (!requested.get()) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException alreadyEnding) {
                requested.set(true);
            }
        }
    }

    void onSignal() {
        requested.set(true);
        stop.run();
        try {
            if (!ended.await(grace.toMillis(), TimeUnit.MILLISECONDS)) {
                System.err.println(
                        "The run did not end in time; go on with --resume from its last"
                                + " checkpoint.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
