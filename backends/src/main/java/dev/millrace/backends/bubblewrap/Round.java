package dev.millrace.backends.bubblewrap;

import dev.millrace.backends.sandbox.Watchdog;

/**
 * One request under its limits. The first limit that fires ends the request; one that fires after
 * the request is over does nothing.
 */
final class Round implements AutoCloseable {
    private final Slot slot;
    private final Watchdog watchdog;
    private final long graceMillis;
    private final Watchdog.Guard deadline;
    private Watchdog.Guard lastResort;
    private String fired = "";
    private boolean timedOut;
    private boolean over;

    Round(Slot slot, Watchdog watchdog, long graceMillis, long timeoutMillis) {
        this.slot = slot;
        this.watchdog = watchdog;
        this.graceMillis = graceMillis;
        String limit = "command timeout " + timeoutMillis + " ms";
        deadline = watchdog.arm(timeoutMillis, () -> trip(limit, true));
    }

    /** Ends the request because of a limit. */
    synchronized void trip(String limit, boolean time) {
        if (over || !fired.isEmpty()) {
            return;
        }
        fired = limit;
        timedOut = time;
        lastResort = watchdog.arm(graceMillis, slot::killLauncher);
        slot.controlShell().ifPresentOrElse(ProcessHandle::destroy, slot::killLauncher);
    }

    /** No limit may fire from now on; says whether one has. */
    synchronized boolean finish() {
        over = true;
        deadline.close();
        return !fired.isEmpty();
    }

    synchronized String fired() {
        return fired;
    }

    synchronized boolean timedOut() {
        return timedOut;
    }

    /** The request and what followed from a limit are done. */
    @Override
    public synchronized void close() {
        over = true;
        deadline.close();
        if (lastResort != null) {
            lastResort.close();
        }
    }
}
