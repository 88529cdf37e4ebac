package dev.millrace.backends.sandbox;

import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;

/**
 * What a command that runs elsewhere may take of time and output, from its start on, measured here.
 * When that is used up everything that it has started is killed, which may take a while of its own.
 * Not thread-safe.
 */
public final class CommandLimits {
    private final long timeoutMillis;
    private final long mostOutputBytes;
    private final long killGraceMillis;
    private final Killer killer;
    private final long deadline;
    private String fired = "";
    private boolean timedOut;
    private boolean killed;
    private long graceEnd;

    /** Ends everything that commands have started. */
    @FunctionalInterface
    public interface Killer {
        /** Says whether nothing is left. */
        boolean killAll() throws SandboxException;
    }

    /**
     * Of a command that starts now.
     *
     * @param mostOutputBytes after which it is killed, whatever is kept of them
     * @param killGraceMillis how long it may be dying
     */
    public CommandLimits(
            long timeoutMillis, long mostOutputBytes, long killGraceMillis, Killer killer) {
        this.timeoutMillis = timeoutMillis;
        this.mostOutputBytes = mostOutputBytes;
        this.killGraceMillis = killGraceMillis;
        this.killer = killer;
        this.deadline = System.nanoTime() + timeoutMillis * 1_000_000;
    }

    /** Until something is to be done, milliseconds, at least 1. */
    public long leftMillis() {
        long until = fired.isEmpty() ? deadline : graceEnd;
        return Math.max(1, (until - System.nanoTime()) / 1_000_000);
    }

    /**
     * Whether it may still run, or still be dying.
     *
     * @param outputBytes written so far
     * @throws SandboxException when the caller was cancelled
     */
    public boolean mayGoOn(long outputBytes) throws SandboxException {
        if (!fired.isEmpty()) {
            return System.nanoTime() < graceEnd;
        }
        timedOut = System.nanoTime() >= deadline;
        if (timedOut) {
            fired = "command timeout " + timeoutMillis + " ms";
        } else if (outputBytes > mostOutputBytes) {
            fired = "command output " + mostOutputBytes + " bytes";
        } else {
            return true;
        }
        killed = tryToKill();
        graceEnd = System.nanoTime() + killGraceMillis * 1_000_000;
        return killed;
    }

    private boolean tryToKill() throws SandboxException {
        try {
            return killer.killAll();
        } catch (SandboxException e) {
            if (e.kind() == Kind.CANCELLED) {
                throw e;
            }
            // Nothing can be started inside: only who runs the sandbox can end it.
            return false;
        }
    }

    /** Name and value of the limit that was exceeded, or empty. */
    public String fired() {
        return fired;
    }

    /** Whether everything that commands have started was killed. */
    public boolean killed() {
        return killed;
    }

    /** Whether it was the time. */
    public boolean timedOut() {
        return timedOut;
    }
}
