package dev.millrace.backends.modal;

import dev.millrace.backends.port.Lease;

/**
 * The time without a command after which the server ends a sandbox, for the case that nobody here
 * is left to do so. Who renews a lease has to show it by a command, now and then. Thread-safe.
 */
final class KeepAlive {
    private static final long MARGIN_MILLIS = 60_000;
    private static final int SIGNS_IN_TIME = 3;

    private final long idleMillis;
    private long usedAt = System.nanoTime();

    KeepAlive(Lease lease) {
        idleMillis = lease.ttlMillis() == 0 ? 0 : idleMillis(lease);
    }

    private static long idleMillis(Lease lease) {
        return 2 * lease.ttlMillis() + MARGIN_MILLIS;
    }

    /** What to tell the server; 0 for never. */
    long idleSeconds() {
        return idleMillis / 1000;
    }

    synchronized void used() {
        usedAt = System.nanoTime();
    }

    /** Whether it is time for a sign of life. */
    synchronized boolean isDue() {
        return idleMillis > 0
                && System.nanoTime() - usedAt > idleMillis * 1_000_000 / SIGNS_IN_TIME;
    }
}
