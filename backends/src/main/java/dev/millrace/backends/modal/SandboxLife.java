package dev.millrace.backends.modal;

import dev.millrace.backends.modal.wire.GenericResult;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.sandbox.CauseOfDeath;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** From creation to the end of a sandbox: ends it once, and knows by whose hand. */
final class SandboxLife {
    private static final Logger LOG = LoggerFactory.getLogger(SandboxLife.class);

    private final ModalSandboxes sandboxes;
    private final String id;
    private final Runnable disconnect;
    private final Runnable onEnd;
    private final CauseOfDeath cause = new CauseOfDeath();
    private boolean removed;

    /**
     * @param disconnect called when no command will be run in it any more
     * @param onEnd called once when it is removed
     */
    SandboxLife(ModalSandboxes sandboxes, String id, Runnable disconnect, Runnable onEnd) {
        this.sandboxes = sandboxes;
        this.id = id;
        this.disconnect = disconnect;
        this.onEnd = onEnd;
    }

    String id() {
        return id;
    }

    void requireAlive() throws SandboxException {
        cause.requireAlive();
    }

    /**
     * Finds out whether it still runs.
     *
     * @throws SandboxException of kind DIED when it doesn't
     */
    void look() throws SandboxException {
        requireAlive();
        GenericResult result = sandboxes.result(id);
        if (ModalSandboxes.hasEnded(result)) {
            // What runs inside can bring about nothing but the memory limit.
            boolean memory =
                    result.getStatus()
                            == GenericResult.GenericStatus.GENERIC_STATUS_MEMORY_EVICTION;
            String how = ModalSandboxes.text(result);
            cause.died(memory ? "the memory limit ended it" : "it ended: " + how, memory);
        }
        requireAlive();
    }

    /** What a failure really is when the sandbox has ended meanwhile. */
    SandboxException explained(SandboxException failure) {
        if (failure.kind() == Kind.CANCELLED
                || failure.kind() == Kind.DIED
                || failure.kind() == Kind.FENCED) {
            return failure;
        }
        try {
            look();
            return failure;
        } catch (SandboxException e) {
            return e.kind() == Kind.DIED ? e : failure;
        }
    }

    /** Nothing of a command that outlived its limit may be left. */
    void commandOutlived() throws SandboxException {
        cause.died("a command outlived its limit and could not be killed alone", true);
        kill();
        requireAlive();
    }

    /** Ends everything inside. */
    void kill() {
        cause.died("it was killed by its owner", false);
        try {
            sandboxes.terminate(id);
        } catch (SandboxException e) {
            LOG.warn("A sandbox could not be ended id={}", id, e);
        }
    }

    /** Ends it and makes sure that it is gone. */
    void remove() throws SandboxException {
        cause.died("it was closed", false);
        disconnect.run();
        synchronized (this) {
            if (removed) {
                return;
            }
        }
        sandboxes.remove(id);
        synchronized (this) {
            if (removed) {
                return;
            }
            removed = true;
        }
        onEnd.run();
    }

    /** The same as far as it can be done now. */
    void close() {
        try {
            remove();
        } catch (SandboxException e) {
            LOG.warn("A sandbox could not be ended, a reaper has to id={}", id, e);
        }
    }
}
