package dev.millrace.backends.docker;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.backends.port.SandboxSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** A sandbox that is a container. */
final class DockerSandbox implements Sandbox {
    private static final int TIMED_OUT = 124;
    private static final int NOT_RUNNABLE = 126;
    private static final int KILLED = 137;

    /** The kernel takes no more in one word of a command line. */
    private static final int LONGEST_COMMAND = 120_000;

    private final SandboxSpec spec;
    private final DockerSettings settings;
    private final ContainerLife life;
    private final ContainerExec commands;
    private final ContainerFiles files;
    private final ReentrantLock turn = new ReentrantLock();
    private final List<String> executed = new ArrayList<>();
    private Wrapper.Report before = Wrapper.Report.NONE;

    DockerSandbox(SandboxSpec spec, DockerSettings settings, Engine engine, ContainerLife life) {
        this.spec = spec;
        this.settings = settings;
        this.life = life;
        this.commands = new ContainerExec(engine, settings, life.name());
        this.files = new ContainerFiles(engine, settings, life.name());
    }

    /** Opens the top of the tree and makes the working folder, if the image has none. */
    void prepare() throws SandboxException {
        files.openTop();
        files.put(spec.workdir(), List.of());
    }

    @Override
    public String leaseName() {
        return spec.leaseName();
    }

    @Override
    public List<String> executedIds() {
        synchronized (executed) {
            return List.copyOf(executed);
        }
    }

    @Override
    public ExecResult exec(ExecRequest request) throws SandboxException {
        turn.lock();
        try {
            life.requireAlive();
            synchronized (executed) {
                executed.add(request.effectId());
            }
            if (request.command().length() > LONGEST_COMMAND) {
                byte[] said =
                        (settings.shell() + ": argument list too long\n")
                                .getBytes(StandardCharsets.UTF_8);
                return new ExecResult(NOT_RUNNABLE, said, said.length, false, false, 0, "");
            }
            return execute(request);
        } catch (SandboxException e) {
            if (e.kind() == Kind.CANCELLED) {
                life.kill();
            }
            throw e;
        } finally {
            turn.unlock();
        }
    }

    private ExecResult execute(ExecRequest request) throws SandboxException {
        long start = System.nanoTime();
        String id;
        HttpReply reply;
        try {
            id =
                    commands.prepare(
                            Wrapper.around(request, settings.shell(), spec.workdir()),
                            request.environment());
            reply = commands.start(id);
        } catch (SandboxException e) {
            throw life.unstartable(e);
        }
        try (ExecStream stream = new ExecStream(reply, request.maxOutputBytes())) {
            CommandRound round = new CommandRound(commands, settings, request, id, stream);
            int code = round.run();
            boolean limited = !round.limits().fired().isEmpty();
            if (limited) {
                life.endCommands(round.limits().killed() && code >= 0);
            } else if (code < 0 || code == KILLED || !Wrapper.read(stream.report()).over()) {
                life.look();
            }
            return result(stream, round, code, (System.nanoTime() - start) / 1_000_000);
        } catch (IOException e) {
            throw EngineFailure.unanswered(
                    EngineCall.get("running a command", "", request.timeoutMillis()), e);
        }
    }

    private ExecResult result(ExecStream stream, CommandRound round, int code, long wall) {
        Wrapper.Report now = Wrapper.read(stream.report());
        boolean oom = now.over() && now.memoryKillsSince(before);
        boolean refused = now.over() && code != 0 && now.refusedProcessesSince(before);
        before = now.over() ? now : Wrapper.Report.UNKNOWN;
        String limit = round.limits().fired();
        if (limit.isEmpty() && oom) {
            limit = "memory " + spec.limits().memoryMb() + " MiB";
        } else if (limit.isEmpty() && refused) {
            limit = "processes " + spec.limits().processes();
        }
        int exit =
                round.limits().timedOut()
                        ? TIMED_OUT
                        : round.limits().fired().isEmpty() ? code : KILLED;
        return new ExecResult(
                exit,
                stream.output().kept(),
                stream.output().total(),
                round.limits().timedOut(),
                oom,
                wall,
                limit);
    }

    @Override
    public void putFiles(String directory, List<SandboxFile> put) throws SandboxException {
        turn.lock();
        try {
            life.requireAlive();
            files.put(directory, put);
        } catch (SandboxException e) {
            throw life.explained(e);
        } finally {
            turn.unlock();
        }
    }

    /** Works after {@link #kill}, too, until the container is removed. */
    @Override
    public List<SandboxFile> getFiles(String directory, long maxBytes) throws SandboxException {
        turn.lock();
        try {
            life.requireExists();
            return files.get(directory, maxBytes);
        } catch (SandboxException e) {
            throw life.explained(e);
        } finally {
            turn.unlock();
        }
    }

    @Override
    public void kill() {
        life.kill();
    }

    @Override
    public void terminate() throws SandboxException {
        life.remove();
    }

    @Override
    public void close() {
        life.close();
    }
}
