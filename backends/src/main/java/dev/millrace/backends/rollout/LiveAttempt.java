package dev.millrace.backends.rollout;

import dev.millrace.backends.effect.Terminations;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a try of an attempt holds: its slot, its sandbox and the call that is under way. Once
 * released it never holds anything again. Never waits for anything.
 */
final class LiveAttempt {
    private static final Logger LOG = LoggerFactory.getLogger(LiveAttempt.class);

    private final Permits slots;
    private final Terminations terminations;
    private CompletableFuture<Void> slot;
    private Sandbox sandbox;
    private Future<?> call;
    private int unanswered;
    private boolean released;

    LiveAttempt(Permits slots, Terminations terminations) {
        this.slots = slots;
        this.terminations = terminations;
    }

    /** Completes once the slot is held; a second call waits for the same slot. */
    synchronized CompletableFuture<Void> slot() {
        if (released) {
            return CompletableFuture.failedFuture(new CancellationException("released"));
        }
        if (slot == null) {
            slot = slots.acquire();
        }
        return slot;
    }

    synchronized Sandbox sandbox() {
        return sandbox;
    }

    /** Remembers the call that is under way, so that the release cancels it. */
    <T extends Future<?>> T track(T started) {
        boolean late;
        synchronized (this) {
            call = started;
            late = released;
        }
        if (late) {
            started.cancel(true);
        }
        return started;
    }

    /**
     * Hands a sandbox over, in place of an earlier one. One that comes after the release is ended
     * at once.
     */
    void hold(Sandbox fresh) {
        Sandbox superseded;
        synchronized (this) {
            superseded = released ? fresh : sandbox;
            if (!released) {
                sandbox = fresh;
                unanswered = 0;
            }
        }
        if (superseded != null) {
            terminations.end(superseded);
        }
    }

    /** Ends the sandbox; the attempt goes on in another. */
    void discard() {
        hold(null);
    }

    /** The sandbox answered. */
    synchronized void answered() {
        unanswered = 0;
    }

    /** It did not; one that does so twice in a row is given up. */
    void unanswered() {
        boolean again;
        synchronized (this) {
            unanswered++;
            again = unanswered > 1;
        }
        if (again) {
            discard();
        }
    }

    /** Keeps the sandbox from ending by itself. */
    void renew() {
        Sandbox held = sandbox();
        if (held == null) {
            return;
        }
        try {
            held.renew();
        } catch (SandboxException gone) {
            // The next command finds out, and what is to be done about it.
            LOG.debug("A sandbox could not be renewed lease={}", held.leaseName(), gone);
        }
    }

    synchronized boolean released() {
        return released;
    }

    /** Cancels what is under way, ends the sandbox and gives the slot back. Idempotent. */
    void release() {
        end(false);
    }

    /** The same, but an idle sandbox is left to whoever attaches to it next. */
    void leave() {
        end(true);
    }

    private void end(boolean leaveIdle) {
        Sandbox held;
        CompletableFuture<Void> taken;
        Future<?> running;
        synchronized (this) {
            if (released) {
                return;
            }
            released = true;
            held = sandbox;
            sandbox = null;
            taken = slot;
            running = call;
        }
        boolean idle = running == null || running.isDone();
        if (!idle) {
            running.cancel(true);
        }
        if (held == null || (leaveIdle && idle)) {
            giveBack(taken);
        } else {
            terminations.end(held).whenComplete((gone, failure) -> giveBack(taken));
        }
    }

    private void giveBack(CompletableFuture<Void> taken) {
        if (taken != null && !taken.cancel(false)) {
            slots.release();
        }
    }
}
