package dev.millrace.backends.bubblewrap;

import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.sandbox.Watchdog;
import java.io.IOException;

/** From start to end of what runs in a slot: ends it once, and knows by whose hand. */
final class SandboxLife {
    private static final long LEAVE_MILLIS = 300;
    private static final long SWEEP_MILLIS = 3_000;

    private final Slot slot;
    private final Slot.Pipes pipes;
    private final Watchdog watchdog;
    private final SlotPool pool;
    private final Runnable onEnd;
    private final long oomAtStart;
    private String causeOfDeath = "";
    private boolean policyCaused;
    private boolean ended;

    /**
     * @param onEnd called once when it is over
     */
    SandboxLife(Slot slot, Slot.Pipes pipes, Watchdog watchdog, SlotPool pool, Runnable onEnd) {
        this.slot = slot;
        this.pipes = pipes;
        this.watchdog = watchdog;
        this.pool = pool;
        this.onEnd = onEnd;
        oomAtStart = slot.cgroup.oomKills();
    }

    Slot slot() {
        return slot;
    }

    synchronized void requireAlive() throws SandboxException {
        if (!causeOfDeath.isEmpty()) {
            throw new SandboxException(
                    Kind.DIED, policyCaused, "the sandbox is gone: " + causeOfDeath, null);
        }
    }

    /**
     * The control shell doesn't answer any more.
     *
     * @param limit whether a limit of a command had fired before
     */
    void lost(boolean limit) {
        boolean inside;
        try (Watchdog.Guard guard = watchdog.arm(LEAVE_MILLIS, slot::killLauncher)) {
            inside = slot.awaitEnd() && slot.endReported();
        }
        boolean oom = slot.cgroup.oomKills() > oomAtStart;
        synchronized (this) {
            if (causeOfDeath.isEmpty()) {
                policyCaused = limit || inside || oom;
                causeOfDeath =
                        limit
                                ? "a command outlived its limit and could not be killed alone"
                                : oom
                                        ? "the memory limit killed it"
                                        : inside
                                                ? "a command ended it from inside"
                                                : "it was killed from outside";
            }
        }
        end(false);
    }

    /** Ends it at once. */
    void kill() {
        synchronized (this) {
            if (causeOfDeath.isEmpty()) {
                causeOfDeath = "it was killed by its owner";
            }
        }
        synchronized (this) {
            if (!ended) {
                slot.watchEnd();
                slot.killLauncher();
            }
        }
        end(false);
    }

    /** Ends it in the orderly way, which leaves the slot for the next one. */
    void leave(ControlShell shell) {
        boolean interrupted = Thread.interrupted();
        try {
            boolean clean;
            synchronized (this) {
                if (ended) {
                    return;
                }
                clean = causeOfDeath.isEmpty();
                causeOfDeath = clean ? "it was closed" : causeOfDeath;
            }
            if (clean) {
                slot.watchEnd();
                try (Watchdog.Guard guard = watchdog.arm(LEAVE_MILLIS, slot::killLauncher)) {
                    clean = goodbye(shell) && slot.awaitEnd() && slot.sweep(SWEEP_MILLIS);
                }
            }
            end(clean);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean goodbye(ControlShell shell) {
        try {
            shell.send("exit\n");
            pipes.requests().close();
            shell.drain();
            return true;
        } catch (IOException gone) {
            // It has ended by itself in the meantime.
            return true;
        }
    }

    private void end(boolean clean) {
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
        }
        closePipes();
        boolean usable = clean && slot.launcherAlive();
        pool.giveBack(slot, usable);
        onEnd.run();
    }

    private void closePipes() {
        try (var requests = pipes.requests();
                var answers = pipes.answers()) {
            return;
        } catch (IOException e) {
            // Nothing is lost: what could be read has been read.
            return;
        }
    }
}
