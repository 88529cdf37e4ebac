package dev.millrace.backends.bubblewrap;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.backends.port.SandboxSpec;
import dev.millrace.backends.sandbox.HeadTailBuffer;
import dev.millrace.backends.sandbox.ShellText;
import dev.millrace.backends.sandbox.TarReader;
import dev.millrace.backends.sandbox.Watchdog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** A sandbox in a slot, driven through its control shell. */
final class BubblewrapSandbox implements Sandbox {
    private static final long FILES_TIMEOUT_MILLIS = 60_000;
    private static final int TIMED_OUT = 124;
    private static final int KILLED = 137;

    private final SandboxSpec spec;
    private final BubblewrapSettings settings;
    private final ControlShell shell;
    private final Watchdog watchdog;
    private final SandboxLife life;
    private final Keeper keeper;
    private final ReentrantLock turn = new ReentrantLock();
    private final List<String> executed = new ArrayList<>();

    BubblewrapSandbox(
            SandboxSpec spec,
            BubblewrapSettings settings,
            ControlShell shell,
            Watchdog watchdog,
            SandboxLife life,
            Keeper keeper) {
        this.spec = spec;
        this.settings = settings;
        this.shell = shell;
        this.watchdog = watchdog;
        this.life = life;
        this.keeper = keeper;
    }

    /** Keeps a sandbox's file tree. */
    interface Keeper {
        /**
         * @param key of the layer that it becomes
         * @param own writes the tree from inside
         * @return whether there is such a layer now
         */
        boolean keep(String key, LayerArchive.Source own);
    }

    SandboxSpec spec() {
        return spec;
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
        String body = body(request);
        turn.lock();
        try {
            life.requireAlive();
            synchronized (executed) {
                executed.add(request.effectId());
            }
            return execute(request, body);
        } finally {
            turn.unlock();
        }
    }

    private ExecResult execute(ExecRequest request, String body) throws SandboxException {
        Cgroup cgroup = life.slot().cgroup;
        long start = System.nanoTime();
        long oomBefore = cgroup.oomKills();
        long forksBefore = cgroup.refusedForks();
        HeadTailBuffer output = new HeadTailBuffer(request.maxOutputBytes());
        long hard = settings.hardOutputBytes();
        try (Round round = round(request.timeoutMillis())) {
            MarkedStream.Sink sink =
                    (bytes, offset, length) -> {
                        output.accept(bytes, offset, length);
                        if (output.total() > hard) {
                            round.trip("command output " + hard + " bytes", false);
                        }
                    };
            int code = perform(round, body, "</dev/null", sink, null);
            boolean oom = cgroup.oomKills() > oomBefore;
            String limit = round.fired();
            if (limit.isEmpty() && oom) {
                limit = "memory " + spec.limits().memoryMb() + " MiB";
            } else if (limit.isEmpty() && code != 0 && cgroup.refusedForks() > forksBefore) {
                limit = "processes " + spec.limits().processes();
            }
            int exit = round.timedOut() ? TIMED_OUT : round.fired().isEmpty() ? code : KILLED;
            long wall = (System.nanoTime() - start) / 1_000_000;
            return new ExecResult(
                    exit, output.kept(), output.total(), round.timedOut(), oom, wall, limit);
        }
    }

    private Round round(long timeoutMillis) {
        return new Round(life.slot(), watchdog, settings.killGraceMillis(), timeoutMillis);
    }

    /** One request; returns its exit code, which means nothing when a limit has fired. */
    private int perform(
            Round round, String body, String input, MarkedStream.Sink sink, ControlShell.Feed feed)
            throws SandboxException {
        int code = -1;
        try {
            code = shell.run(body, input, sink, feed);
            if (round.finish() && code >= 0 && !shell.settle()) {
                code = -1;
            }
        } catch (ClosedByInterruptException e) {
            life.kill();
            throw new SandboxException(Kind.CANCELLED, false, "cancelled by the caller", e);
        } catch (IOException e) {
            // A closed pipe; whose doing it was is found out below.
            code = -1;
        }
        if (code < 0) {
            boolean limit = round.finish();
            life.lost(limit);
            if (!limit) {
                life.requireAlive();
            }
        }
        return code;
    }

    private String body(ExecRequest request) {
        StringBuilder text = new StringBuilder("echo 500 >/proc/self/oom_score_adj\n");
        if (!request.workdir().isEmpty()) {
            text.append("cd ").append(ShellText.quote(request.workdir())).append(" || exit 1\n");
        }
        text.append(ShellText.exports(request.environment()));
        String command = ShellText.quote(request.command());
        return text.append(
                        settings.shell() == BubblewrapSettings.Shell.SH
                                ? "eval " + command
                                : "exec env --default-signal=INT,QUIT setsid bash -c " + command)
                .toString();
    }

    @Override
    public void putFiles(String directory, List<SandboxFile> files) throws SandboxException {
        FileTransfer.Upload upload = FileTransfer.upload(directory, files);
        turn.lock();
        try (Round round = round(FILES_TIMEOUT_MILLIS)) {
            life.requireAlive();
            HeadTailBuffer errors = new HeadTailBuffer(1000);
            ControlShell.Feed feed = () -> shell.write(upload.stream());
            boolean stream = upload.stream().length > 0;
            String input = stream ? "<&3" : "</dev/null";
            int code = perform(round, upload.script(), input, errors::accept, stream ? feed : null);
            if (code != 0) {
                // What was not read of the stream would be taken for requests.
                life.kill();
                String message = new String(errors.kept(), StandardCharsets.UTF_8);
                throw new SandboxException(
                        Kind.QUOTA, "could not write files to " + directory + ": " + message);
            }
        } finally {
            turn.unlock();
        }
    }

    @Override
    public List<SandboxFile> getFiles(String directory, long maxBytes) throws SandboxException {
        turn.lock();
        try (Round round = round(FILES_TIMEOUT_MILLIS)) {
            life.requireAlive();
            ByteArrayOutputStream tar = new ByteArrayOutputStream();
            long most = maxBytes + LayerArchive.OVERHEAD_BYTES;
            String limit = "files of " + directory + ", " + maxBytes + " bytes";
            MarkedStream.Sink sink =
                    (bytes, offset, length) -> {
                        if (tar.size() + (long) length > most) {
                            round.trip(limit, false);
                        } else {
                            tar.write(bytes, offset, length);
                        }
                    };
            perform(round, FileTransfer.downloadScript(directory), "</dev/null", sink, null);
            if (!round.fired().isEmpty()) {
                throw new SandboxException(Kind.QUOTA, true, "exceeded: " + round.fired(), null);
            }
            return TarReader.read(tar.toByteArray(), maxBytes, "");
        } finally {
            turn.unlock();
        }
    }

    @Override
    public boolean keepAs(String layer) throws SandboxException {
        turn.lock();
        try {
            life.requireAlive();
            return keeper.keep(layer, this::writeTree);
        } finally {
            turn.unlock();
        }
    }

    /** All of its own file tree as an archive; false when that could not be read to its end. */
    private boolean writeTree(OutputStream archive) throws IOException {
        try (Round round = round(FILES_TIMEOUT_MILLIS)) {
            long[] left = {LayerArchive.most(spec.limits())};
            MarkedStream.Sink sink =
                    (bytes, offset, length) -> {
                        // What there is no room for is read all the same, or the shell would wait.
                        left[0] = left[0] < length ? -1 : left[0] - length;
                        if (left[0] >= 0) {
                            try {
                                archive.write(bytes, offset, length);
                            } catch (IOException full) {
                                left[0] = -1;
                            }
                        }
                    };
            int code = perform(round, LayerArchive.script(), "</dev/null", sink, null);
            return code == 0 && left[0] >= 0 && round.fired().isEmpty();
        } catch (SandboxException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public void kill() {
        life.kill();
    }

    @Override
    public void close() {
        if (turn.tryLock()) {
            try {
                life.leave(shell);
            } finally {
                turn.unlock();
            }
        } else {
            life.kill();
        }
    }
}
