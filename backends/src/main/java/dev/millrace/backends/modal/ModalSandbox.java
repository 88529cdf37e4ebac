package dev.millrace.backends.modal;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.backends.port.SandboxSpec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** A sandbox that runs at Modal. */
final class ModalSandbox implements Sandbox {
    private static final int TIMED_OUT = 124;
    private static final int NOT_RUNNABLE = 126;
    private static final int KILLED = 137;

    /** The kernel takes no more in one word of a command line. */
    private static final int LONGEST_COMMAND = 120_000;

    /** The server takes 65,536 in all words of one, of which the script around takes its part. */
    private static final int LONGEST_IN_WORDS = 40_000;

    private static final long REPORT_MILLIS = 5_000;

    private final SandboxSpec spec;
    private final ModalSettings settings;
    private final SandboxLife life;
    private final RootCommands root;
    private final SandboxFiles files;
    private final KeepAlive keepAlive;
    private final ReentrantLock turn = new ReentrantLock();
    private final List<String> executed;

    /**
     * @param executed ids of commands that were executed before
     */
    ModalSandbox(
            SandboxSpec spec,
            ModalSettings settings,
            SandboxLife life,
            RootCommands root,
            List<String> executed) {
        this.spec = spec;
        this.settings = settings;
        this.life = life;
        this.root = root;
        this.files = new SandboxFiles(root, settings);
        this.keepAlive = new KeepAlive(spec.lease());
        this.executed = new ArrayList<>(executed);
    }

    /** Makes its folders, and finds out whether its image has what is needed. */
    void prepare() throws SandboxException {
        RootCommands.Done done =
                root.run(Scripts.prepare(settings, spec), settings.times().startMillis());
        if (done.exitCode() != 0) {
            throw new SandboxException(
                    Kind.IMAGE,
                    "the image lacks one of sh, stat, chown, tail, prlimit and setpriv: "
                            + done.report());
        }
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
            keepAlive.used();
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
            throw life.explained(e);
        } finally {
            keepAlive.used();
            turn.unlock();
        }
    }

    private ExecResult execute(ExecRequest request) throws SandboxException {
        long start = System.nanoTime();
        byte[] text = request.command().getBytes(StandardCharsets.UTF_8);
        boolean inWords = text.length > 0 && text.length <= LONGEST_IN_WORDS;
        try (TaskCommand command =
                root.command(KeptOutput.ends(Math.max(0, request.maxOutputBytes())))) {
            long grace = 3 * settings.times().killGraceMillis();
            command.start(
                    Scripts.command(settings, spec.limits(), request, spec.workdir(), inWords),
                    environment(request),
                    (request.timeoutMillis() + grace) / 1000 + 1);
            if (!inWords) {
                command.write(text);
            }
            CommandRound round = new CommandRound(command, settings, request, this::killAll);
            int code = round.run();
            if (!round.limits().fired().isEmpty()) {
                requireKilled(round.limits().killed() && code >= 0);
            } else if (code == KILLED) {
                life.look();
            } else {
                requireNotFenced(command, code);
            }
            return result(command, round, code, (System.nanoTime() - start) / 1_000_000);
        }
    }

    private Map<String, String> environment(ExecRequest request) {
        Map<String, String> all = new HashMap<>(Map.of("HOME", Scripts.HOME));
        all.putAll(spec.environment());
        all.putAll(request.environment());
        all.put(Scripts.ID, request.effectId());
        all.put(Scripts.FENCE, Long.toString(spec.lease().fence()));
        return all;
    }

    private boolean killAll() throws SandboxException {
        return root.run(Scripts.kill(settings), settings.times().killGraceMillis()).exitCode() == 0;
    }

    private void requireKilled(boolean killed) throws SandboxException {
        life.look();
        if (!killed) {
            life.commandOutlived();
        }
    }

    private void requireNotFenced(TaskCommand command, int code) throws SandboxException {
        boolean silent = code == 1 && command.output().total() == 0;
        if (silent
                && command.report().awaitEnd(REPORT_MILLIS)
                && new String(command.report().kept(), StandardCharsets.UTF_8)
                        .strip()
                        .equals(Scripts.FENCED)) {
            throw new SandboxException(
                    Kind.FENCED, "a newer owner has the lease " + spec.leaseName());
        }
    }

    private static ExecResult result(
            TaskCommand command, CommandRound round, int code, long wallMillis) {
        int exit =
                round.limits().timedOut()
                        ? TIMED_OUT
                        : round.limits().fired().isEmpty() ? code : KILLED;
        return new ExecResult(
                exit,
                command.output().kept(),
                command.output().total(),
                round.limits().timedOut(),
                false,
                wallMillis,
                round.limits().fired());
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
            keepAlive.used();
            turn.unlock();
        }
    }

    @Override
    public List<SandboxFile> getFiles(String directory, long maxBytes) throws SandboxException {
        turn.lock();
        try {
            life.requireAlive();
            return files.get(directory, maxBytes);
        } catch (SandboxException e) {
            throw life.explained(e);
        } finally {
            keepAlive.used();
            turn.unlock();
        }
    }

    @Override
    public void renew() throws SandboxException {
        life.requireAlive();
        if (keepAlive.isDue()) {
            try {
                root.run(List.of("true"), settings.times().requestMillis());
                keepAlive.used();
            } catch (SandboxException e) {
                throw life.explained(e);
            }
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
