package dev.millrace.backends.docker;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
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
    private final long deadline;
    private String fired = "";
    private boolean timedOut;
    private boolean killed;
    private long graceEnd;

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
        this.deadline = System.nanoTime() + request.timeoutMillis() * 1_000_000;
    }

    /**
     * Runs until it is over.
     *
     * @return its exit code; -1 when it outlived its limit
     */
    int run() throws SandboxException {
        try {
            while (true) {
                ExecStream.Got got = stream.take(Math.min(LOOK_MILLIS, leftMillis()));
                boolean over =
                        got == ExecStream.Got.END
                                || Wrapper.read(stream.report()).over()
                                || (got == ExecStream.Got.NOTHING && !exec.state(id).running());
                if (over) {
                    drain();
                    ContainerExec.State state = exec.ended(id);
                    return state.running() ? -1 : state.exitCode();
                }
                if (!checkLimits()) {
                    return -1;
                }
            }
        } catch (IOException e) {
            throw EngineFailure.unanswered(
                    EngineCall.get("running a command", "", request.timeoutMillis()), e);
        }
    }

    private long leftMillis() {
        long until = fired.isEmpty() ? deadline : graceEnd;
        return Math.max(1, (until - System.nanoTime()) / 1_000_000);
    }

    /** Whether it may still run, or still be dying. */
    private boolean checkLimits() throws SandboxException {
        long now = System.nanoTime();
        if (!fired.isEmpty()) {
            return now < graceEnd;
        }
        timedOut = now >= deadline;
        if (timedOut) {
            fired = "command timeout " + request.timeoutMillis() + " ms";
        } else if (stream.output().total() > settings.hardOutputBytes()) {
            fired = "command output " + settings.hardOutputBytes() + " bytes";
        } else {
            return true;
        }
        graceEnd = now + settings.killGraceMillis() * 1_000_000;
        killed = tryToKill();
        return killed;
    }

    private boolean tryToKill() throws SandboxException {
        try {
            return exec.killAll();
        } catch (SandboxException e) {
            if (e.kind() == Kind.CANCELLED) {
                throw e;
            }
            // No process can be had inside: only the daemon can end it.
            return false;
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
