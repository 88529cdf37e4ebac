package dev.millrace.backends.docker;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.sandbox.CommandLimits;
import java.io.IOException;

/** One command under its limits, from start to end. Not thread-safe. */
final class CommandRound {
    /** Output that was written before the end may still be on its way for so long. */
    private static final long DRAIN_MILLIS = 300;

    private static final long LOOK_MILLIS = 250;

    private final ContainerExec exec;
    private final DockerSettings settings;
    private final ExecRequest request;
    private final String id;
    private final ExecStream stream;
    private final CommandLimits limits;

    CommandRound(
            ContainerExec exec,
            DockerSettings settings,
            ExecRequest request,
            String id,
            ExecStream stream) {
        this.exec = exec;
        this.settings = settings;
        this.request = request;
        this.id = id;
        this.stream = stream;
        this.limits =
                new CommandLimits(
                        request.timeoutMillis(),
                        settings.hardOutputBytes(),
                        settings.killGraceMillis(),
                        exec::killAll);
    }

    /**
     * Runs until it is over.
     *
     * @return its exit code; -1 when it outlived its limit
     */
    int run() throws SandboxException {
        try {
            while (true) {
                ExecStream.Got got = stream.take(Math.min(LOOK_MILLIS, limits.leftMillis()));
                boolean over =
                        got == ExecStream.Got.END
                                || Wrapper.read(stream.report()).over()
                                || (got == ExecStream.Got.NOTHING && !exec.state(id).running());
                if (over) {
                    drain();
                    ContainerExec.State state = exec.ended(id);
                    return state.running() ? -1 : state.exitCode();
                }
                if (!limits.mayGoOn(stream.output().total())) {
                    return -1;
                }
            }
        } catch (IOException e) {
            throw EngineFailure.unanswered(
                    EngineCall.get("running a command", "", request.timeoutMillis()), e);
        }
    }

    private void drain() throws IOException {
        long most = System.nanoTime() + settings.killGraceMillis() * 1_000_000;
        while (stream.take(DRAIN_MILLIS) == ExecStream.Got.BYTES && System.nanoTime() < most) {
            if (stream.output().total() > settings.hardOutputBytes()) {
                return;
            }
        }
    }

    /** What it was allowed, and what became of that. */
    CommandLimits limits() {
        return limits;
    }
}
