package dev.millrace.backends.sandbox;

import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;

/** Why a sandbox is gone: the first cause that was seen. Thread-safe. */
public final class CauseOfDeath {
    private String cause = "";
    private boolean policyCaused;

    /** Says why; it counts only when nothing was said before. */
    public synchronized void died(String why, boolean byPolicy) {
        if (cause.isEmpty()) {
            cause = why;
            policyCaused = byPolicy;
        }
    }

    /**
     * Nothing as long as no cause is known.
     *
     * @throws SandboxException of kind DIED, with the cause
     */
    public synchronized void requireAlive() throws SandboxException {
        if (!cause.isEmpty()) {
            throw death();
        }
    }

    /** What to tell who still uses it. */
    public synchronized SandboxException death() {
        return new SandboxException(Kind.DIED, policyCaused, "the sandbox is gone: " + cause, null);
    }
}
