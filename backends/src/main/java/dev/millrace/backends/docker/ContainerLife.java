package dev.millrace.backends.docker;

import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.sandbox.CauseOfDeath;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** From start to removal of a container: ends it once, and knows by whose hand. */
final class ContainerLife {
    private static final Logger LOG = LoggerFactory.getLogger(ContainerLife.class);

    private final Containers containers;
    private final String name;
    private final Runnable onEnd;
    private final CauseOfDeath cause = new CauseOfDeath();
    private boolean removed;

    /**
     * @param onEnd called once when it is removed
     */
    ContainerLife(Containers containers, String name, Runnable onEnd) {
        this.containers = containers;
        this.name = name;
        this.onEnd = onEnd;
    }

    String name() {
        return name;
    }

    void requireAlive() throws SandboxException {
        cause.requireAlive();
    }

    synchronized void requireExists() throws SandboxException {
        if (removed) {
            throw cause.death();
        }
    }

    /**
     * Finds out whether it still runs.
     *
     * @throws SandboxException of kind DIED when it doesn't
     */
    void look() throws SandboxException {
        requireAlive();
        Containers.State state = containers.state(name);
        if (!state.running()) {
            // Nothing inside can signal process 1; what is left is the memory limit, or others.
            cause.died(
                    state.oomKilled() ? "the memory limit killed it" : "it was killed from outside",
                    state.oomKilled());
        }
        requireAlive();
    }

    /** What a failure really is when the container has ended meanwhile. */
    SandboxException explained(SandboxException failure) {
        if (failure.kind() == Kind.CANCELLED || failure.kind() == Kind.DIED) {
            return failure;
        }
        try {
            look();
            return failure;
        } catch (SandboxException e) {
            return e.kind() == Kind.DIED ? e : failure;
        }
    }

    /**
     * What it means that a command could not be started. The image's shell ran when the container
     * was made, so if the runtime finds none in a container that lives, a command removed it.
     */
    SandboxException unstartable(SandboxException failure) {
        SandboxException explained = explained(failure);
        if (explained != failure || !EngineFailure.byRuntime(failure.getMessage())) {
            return explained;
        }
        cause.died("no command can be started in it any more", true);
        kill();
        return cause.death();
    }

    /** After a limit has fired: nothing of the commands may be left. */
    void endCommands(boolean killed) throws SandboxException {
        look();
        if (killed) {
            return;
        }
        try {
            containers.restart(name);
        } catch (SandboxException e) {
            LOG.warn("A container could not be restarted name={}", name, e);
            cause.died("a command outlived its limit and could not be killed alone", true);
            kill();
            requireAlive();
        }
    }

    /** Ends everything inside; its files stay until it is removed. */
    void kill() {
        cause.died("it was killed by its owner", false);
        try {
            containers.kill(name);
        } catch (SandboxException e) {
            LOG.warn("A container could not be killed name={}", name, e);
        }
    }

    /** Ends it and makes sure that it is gone. */
    void remove() throws SandboxException {
        cause.died("it was closed", false);
        synchronized (this) {
            if (removed) {
                return;
            }
        }
        containers.remove(name);
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
            LOG.warn("A container could not be removed, a reaper has to name={}", name, e);
        }
    }
}
