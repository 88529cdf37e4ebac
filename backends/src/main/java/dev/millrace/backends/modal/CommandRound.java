package dev.millrace.backends.modal;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.sandbox.CommandLimits;
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
    private final CommandLimits limits;

    CommandRound(
            TaskCommand command,
            ModalSettings settings,
            ExecRequest request,
            CommandLimits.Killer killer) {
        this.command = command;
        this.settings = settings;
        this.limits =
                new CommandLimits(
                        request.timeoutMillis(),
                        settings.hardOutputBytes(),
                        settings.times().killGraceMillis(),
                        killer);
    }

    /**
     * Runs until it is over.
     *
     * @return its exit code; -1 when it outlived its limit
     */
    int run() throws SandboxException {
        while (true) {
            OptionalInt code = command.awaitExit(Math.min(LOOK_MILLIS, limits.leftMillis()));
            if (code.isPresent()) {
                drain();
                return code.getAsInt();
            }
            command.output().requireReadable();
            if (!limits.mayGoOn(command.output().total())) {
                return -1;
            }
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

    /** What it was allowed, and what became of that. */
    CommandLimits limits() {
        return limits;
    }
}
