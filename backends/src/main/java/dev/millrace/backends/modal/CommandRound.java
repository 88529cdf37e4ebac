package dev.millrace.backends.modal;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import java.util.OptionalInt;

/**
 * One command under its limits, from start to end. Its time is measured here: the server says of a
 * command that it has ended for its time nothing but that it was killed. Not thread-safe.
 */
final class CommandRound {
    /** Output that was written before the end may still be on its way for so long. */
    private static final long DRAIN_MILLIS = 300;

    private static final long LOOK_MILLIS = 100;

    private final TaskCommand command;
    private final ModalSettings settings;
    private final ExecRequest request;
    private final Killer killer;
    private final long deadline;
    private String fired = "";
    private boolean timedOut;
    private boolean killed;
    private long graceEnd;

    /** Ends everything that commands have started. */
    @FunctionalInterface
    interface Killer {
        /** Says whether nothing is left. */
        boolean killAll() throws SandboxException;
    }

    CommandRound(TaskCommand command, ModalSettings settings, ExecRequest request, Killer killer) {
        this.command = command;
        this.settings = settings;
        this.request = request;
        this.killer = killer;
        this.deadline = System.nanoTime() + request.timeoutMillis() * 1_000_000;
    }

    /**
     * Runs until it is over.
     *
     * @return its exit code; -1 when it outlived its limit
     */
    int run() throws SandboxException {
        while (true) {
            OptionalInt code = command.awaitExit(Math.min(LOOK_MILLIS, leftMillis()));
            if (code.isPresent()) {
                drain();
                return code.getAsInt();
            }
            command.output().requireReadable();
            if (!mayGoOn()) {
                return -1;
            }
        }
    }

    private long leftMillis() {
        long until = fired.isEmpty() ? deadline : graceEnd;
        return Math.max(1, (until - System.nanoTime()) / 1_000_000);
    }

    /** Whether it may still run, or still be dying. */
    private boolean mayGoOn() throws SandboxException {
        long now = System.nanoTime();
        if (!fired.isEmpty()) {
            return now < graceEnd;
        }
        timedOut = now >= deadline;
        if (timedOut) {
            fired = "command timeout " + request.timeoutMillis() + " ms";
        } else if (command.output().total() > settings.hardOutputBytes()) {
            fired = "command output " + settings.hardOutputBytes() + " bytes";
        } else {
            return true;
        }
        killed = tryToKill();
        graceEnd = System.nanoTime() + settings.times().killGraceMillis() * 1_000_000;
        return killed;
    }

    private boolean tryToKill() throws SandboxException {
        try {
            return killer.killAll();
        } catch (SandboxException e) {
            if (e.kind() == Kind.CANCELLED) {
                throw e;
            }
            // Nothing can be started inside: only the server can end it.
            return false;
        }
    }

    private void drain() throws SandboxException {
        long most = System.nanoTime() + settings.times().killGraceMillis() * 1_000_000;
        long before;
        do {
            before = command.output().total();
            if (command.output().awaitEnd(DRAIN_MILLIS)) {
                return;
            }
        } while (command.output().total() > before
                && before <= settings.hardOutputBytes()
                && System.nanoTime() < most);
    }

    /** Name and value of the limit, or empty. */
    String fired() {
        return fired;
    }

    /** Whether everything that commands have started was killed. */
    boolean killed() {
        return killed;
    }

    boolean timedOut() {
        return timedOut;
    }
}
