package dev.millrace.backends.lease;

import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** One lease that has a sandbox, or is getting one. */
final class LeaseEntry {
    private final Consumer<LeaseEntry> onEnd;
    private final ReentrantLock making = new ReentrantLock();
    private final List<String> executed = new ArrayList<>();
    private Lease lease;
    private Sandbox sandbox;
    private boolean ended;
    private int commands;
    private long usedAt = System.nanoTime();

    LeaseEntry(Lease lease, Consumer<LeaseEntry> onEnd) {
        this.lease = lease;
        this.onEnd = onEnd;
    }

    static SandboxException fenced(String name) {
        return new SandboxException(
                SandboxException.Kind.FENCED, "a newer owner has the lease " + name);
    }

    synchronized Lease lease() {
        return lease;
    }

    synchronized long fence() {
        return lease.fence();
    }

    /** The sandbox, made by the first that comes. */
    Sandbox open(LeaseTable.Maker maker) throws SandboxException {
        try {
            making.lockInterruptibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SandboxException(
                    SandboxException.Kind.CANCELLED, false, "cancelled by the caller", e);
        }
        try {
            synchronized (this) {
                if (sandbox != null) {
                    return new FencedSandbox(this, sandbox, lease.fence());
                }
            }
            return made(maker);
        } finally {
            making.unlock();
        }
    }

    private Sandbox made(LeaseTable.Maker maker) throws SandboxException {
        Sandbox fresh;
        try {
            fresh = maker.make(this::gone);
        } catch (SandboxException | RuntimeException e) {
            end();
            throw e;
        }
        synchronized (this) {
            if (!ended) {
                sandbox = fresh;
                // One that another process has made has a past.
                executed.addAll(fresh.executedIds());
                usedAt = System.nanoTime();
                return new FencedSandbox(this, fresh, lease.fence());
            }
        }
        fresh.close();
        throw fenced(lease().name());
    }

    /** Hands the sandbox to a newer owner; nothing while it is still being made. */
    synchronized Optional<Sandbox> takeOver(Lease newer) throws SandboxException {
        if (newer.fence() < lease.fence()) {
            throw fenced(lease.name());
        }
        if (sandbox == null) {
            return Optional.empty();
        }
        lease = newer;
        usedAt = System.nanoTime();
        return Optional.of(new FencedSandbox(this, sandbox, newer.fence()));
    }

    /** Records a command before it starts. */
    synchronized void begin(long fence, String effectId) throws SandboxException {
        use(fence);
        executed.add(effectId);
        commands++;
    }

    /** Says that the owner of that fence uses it now. */
    synchronized void use(long fence) throws SandboxException {
        if (fence < lease.fence()) {
            throw fenced(lease.name());
        }
        usedAt = System.nanoTime();
    }

    synchronized void done() {
        commands--;
        usedAt = System.nanoTime();
    }

    synchronized boolean belongsTo(long fence) {
        return fence >= lease.fence();
    }

    synchronized List<String> executed() {
        return List.copyOf(executed);
    }

    synchronized boolean expired(long nowNanos) {
        return sandbox != null
                && lease.ttlMillis() > 0
                && commands == 0
                && nowNanos - usedAt > lease.ttlMillis() * 1_000_000;
    }

    /** Ends the sandbox, or the one that is being made. */
    void end() {
        Sandbox held;
        synchronized (this) {
            ended = true;
            held = sandbox;
        }
        if (held != null) {
            held.close();
        }
        onEnd.accept(this);
    }

    /** The sandbox has ended. */
    void gone() {
        synchronized (this) {
            ended = true;
        }
        onEnd.accept(this);
    }
}
