package dev.millrace.backends.rollout;

import dev.millrace.backends.port.Sandbox;
import java.util.concurrent.CompletableFuture;

/**
 * What a try of an attempt holds on this machine: its slot and its sandbox. Once released it never
 * holds anything again.
 */
final class LiveAttempt {
    private final Permits slots;
    private CompletableFuture<Void> slot;
    private Sandbox sandbox;
    private boolean released;

    LiveAttempt(Permits slots) {
        this.slots = slots;
    }

    /** Completes once the slot is held; a second call waits for the same slot. */
    synchronized CompletableFuture<Void> slot() {
        if (released) {
            return CompletableFuture.failedFuture(
                    new java.util.concurrent.CancellationException("released"));
        }
        if (slot == null) {
            slot = slots.acquire();
        }
        return slot;
    }

    synchronized Sandbox sandbox() {
        return sandbox;
    }

    /**
     * Hands a sandbox over, in place of an earlier one. One that comes after the release is closed
     * at once.
     */
    void hold(Sandbox fresh) {
        Sandbox superseded;
        synchronized (this) {
            superseded = released ? fresh : sandbox;
            if (!released) {
                sandbox = fresh;
            }
        }
        if (superseded != null) {
            superseded.close();
        }
    }

    synchronized boolean released() {
        return released;
    }

    /** Ends the sandbox and gives the slot back. Idempotent. */
    void release() {
        Sandbox held;
        CompletableFuture<Void> taken;
        synchronized (this) {
            if (released) {
                return;
            }
            released = true;
            held = sandbox;
            sandbox = null;
            taken = slot;
        }
        if (held != null) {
            held.close();
        }
        if (taken != null && !taken.cancel(false)) {
            slots.release();
        }
    }
}
