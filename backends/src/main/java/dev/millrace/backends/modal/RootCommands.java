package dev.millrace.backends.modal;

import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.sandbox.Watchdog;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** The provider's own short commands in a sandbox, which run as root there. */
final class RootCommands {
    private static final long DRAIN_MILLIS = 10_000;

    private final Router router;
    private final RetryPolicy policy;
    private final Watchdog timer;

    RootCommands(Router router, RetryPolicy policy, Watchdog timer) {
        this.router = router;
        this.policy = policy;
        this.timer = timer;
    }

    /**
     * How one ended.
     *
     * @param exitCode its own
     * @param output first bytes of its standard output, as many as were wanted
     * @param total bytes of it in all
     * @param report what it said on the stream for errors
     */
    record Done(int exitCode, byte[] output, long total, String report) {}

    /** Without input, of little output. */
    Done run(List<String> words, long timeoutMillis) throws SandboxException {
        return run(words, new byte[0], 1 << 16, timeoutMillis);
    }

    /**
     * Runs one to its end.
     *
     * @throws SandboxException of kind UNREACHABLE when it takes longer than that
     */
    Done run(List<String> words, byte[] input, int mostOutputBytes, long timeoutMillis)
            throws SandboxException {
        long until = System.nanoTime() + timeoutMillis * 1_000_000;
        try (TaskCommand command = command(KeptOutput.beginning(mostOutputBytes))) {
            command.start(words, Map.of(), timeoutMillis / 1000 + 1);
            command.write(input);
            OptionalInt code = OptionalInt.empty();
            while (code.isEmpty()) {
                long left = (until - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    throw new SandboxException(
                            Kind.UNREACHABLE,
                            "a command of the provider took longer than " + timeoutMillis + " ms");
                }
                code = command.awaitExit(left);
            }
            boolean whole =
                    command.output().awaitEnd(DRAIN_MILLIS)
                            && command.report().awaitEnd(DRAIN_MILLIS);
            if (!whole) {
                throw new SandboxException(Kind.UNREACHABLE, "output that does not end");
            }
            return new Done(
                    code.getAsInt(),
                    command.output().kept(),
                    command.output().total(),
                    new String(command.report().kept(), StandardCharsets.UTF_8).strip());
        }
    }

    /** One that is not started yet. */
    TaskCommand command(KeptOutput kept) {
        return new TaskCommand(router, policy, timer, kept);
    }
}
