package dev.millrace.backends.bubblewrap;

import dev.millrace.backends.lease.LeaseTable;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxCapabilities;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.SandboxLimits;
import dev.millrace.backends.port.SandboxProvider;
import dev.millrace.backends.port.SandboxSpec;
import dev.millrace.backends.sandbox.OwnerStamp;
import dev.millrace.backends.sandbox.ShellText;
import dev.millrace.backends.sandbox.Uninterrupted;
import dev.millrace.backends.sandbox.Watchdog;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sandboxes by bubblewrap on this host. Nothing runs without isolation: what the host can't give is
 * refused, or named by {@link #probe} when something weaker stands in for it.
 *
 * <p>All of a sandbox dies with this process, however that ends. A live sandbox can be found again
 * from this process only.
 */
public final class BubblewrapProvider implements SandboxProvider {
    private static final Logger LOG = LoggerFactory.getLogger(BubblewrapProvider.class);
    private static final List<String> CLOSED_PATHS =
            List.of("/usr", "/etc", "/proc", "/dev", "/bin", "/sbin", "/lib", "/lib64");

    private static final long EXPIRY_MILLIS = 1000;

    private final BubblewrapSettings settings;
    private final String stamp = OwnerStamp.mint();
    private final String controlShell = HostProbe.controlShell();
    private final LaunchThread launch = new LaunchThread();
    private final Watchdog watchdog = new Watchdog();
    private final Set<BubblewrapSandbox> live = ConcurrentHashMap.newKeySet();
    private final LeaseTable leases = new LeaseTable();
    private final OwnerRegistry registry = OwnerRegistry.ofHost();
    private final Thread exitHook = new Thread(this::endAll, "sandbox-exit");
    private final Supplier<CgroupTree> cgroups;
    private CgroupTree tree;
    private SlotPool pool;
    private SandboxCapabilities capabilities;
    private boolean closed;

    /** Commands run in POSIX sh. */
    public BubblewrapProvider(Path scratch) {
        this(BubblewrapSettings.in(scratch, BubblewrapSettings.Shell.SH));
    }

    /** With everything said. */
    public BubblewrapProvider(BubblewrapSettings settings) {
        this(settings, CgroupTree::find);
    }

    BubblewrapProvider(BubblewrapSettings settings, Supplier<CgroupTree> cgroups) {
        this.settings = settings;
        this.cgroups = cgroups;
        watchdog.every(EXPIRY_MILLIS, () -> leases.expire(System.nanoTime()));
        Runtime.getRuntime().addShutdownHook(exitHook);
    }

    @Override
    public String name() {
        return "bubblewrap";
    }

    @Override
    public synchronized SandboxCapabilities probe() throws SandboxException {
        if (closed) {
            throw new SandboxException(Kind.UNREACHABLE, "the sandbox provider is closed");
        }
        if (capabilities == null) {
            capabilities = Uninterrupted.call("sandbox-probe", this::lookAtHost);
            LOG.info("bubblewrap sandboxes: {}", capabilities);
        }
        return capabilities;
    }

    private SandboxCapabilities lookAtHost() throws SandboxException {
        HostProbe.requirePrograms(launch, settings.shell() == BubblewrapSettings.Shell.BASH);
        int uid = HostProbe.firstUid(settings.firstUid());
        tree = cgroups.get();
        clearUp();
        if (pool == null) {
            pool = new SlotPool(prepareScratch(), stamp, uid, tree, launch, watchdog);
        }
        tryOne();
        return HostProbe.capabilities(tree, uid != 0);
    }

    /** What processes that are gone have left, wherever on this host. */
    private void clearUp() {
        Reaper.Report report = new Reaper(registry, tree).clear(Optional.empty());
        if (report.past() > 0) {
            LOG.info("Left by processes that are gone, now removed: {}", report.removed());
        }
    }

    private Path prepareScratch() throws SandboxException {
        try {
            Files.createDirectories(settings.scratch());
            String[] names = settings.scratch().toFile().list();
            for (String name : names == null ? new String[0] : names) {
                if (OwnerStamp.isStale(name)) {
                    Slot.removeFolder(settings.scratch().resolve(name));
                }
            }
            registry.scratch(stamp, settings.scratch());
            Path folder = Files.createDirectories(settings.scratch().resolve(stamp));
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
            return folder;
        } catch (IOException e) {
            throw new SandboxException(
                    Kind.UNSUPPORTED,
                    false,
                    "can't use the scratch folder " + settings.scratch() + ": " + e.getMessage(),
                    e);
        }
    }

    private void tryOne() throws SandboxException {
        SandboxSpec spec =
                new SandboxSpec("probe", "probe", "", "/workspace", Map.of(), SandboxLimits.SMALL);
        try {
            start(spec, () -> {}).close();
        } catch (SandboxException e) {
            throw HostProbe.explain(e.getMessage());
        }
    }

    @Override
    public Sandbox create(SandboxSpec spec) throws SandboxException {
        probe();
        requireServable(spec);
        registry.owner(stamp, spec.lease().owner());
        return leases.create(spec.lease(), ended -> start(spec, ended));
    }

    private static void requireServable(SandboxSpec spec) throws SandboxException {
        if (!spec.image().isEmpty()) {
            throw new SandboxException(
                    Kind.UNSUPPORTED,
                    "bubblewrap runs this host's own tool chain and no image '"
                            + spec.image()
                            + "': leave the image empty");
        }
        Path workdir = Path.of(spec.workdir());
        boolean shut = CLOSED_PATHS.stream().anyMatch(workdir::startsWith);
        if (!workdir.isAbsolute() || !workdir.equals(workdir.normalize()) || shut) {
            throw new SandboxException(
                    Kind.UNSUPPORTED,
                    "the working folder '"
                            + spec.workdir()
                            + "' is not an absolute path outside of "
                            + CLOSED_PATHS);
        }
    }

    private BubblewrapSandbox start(SandboxSpec spec, Runnable ended) throws SandboxException {
        String preparation = preparation(spec);
        Slot slot = null;
        Slot.Pipes pipes = null;
        try {
            slot = pool.take();
            slot.cgroup.limit(spec.limits());
            Slot used = slot;
            Runnable giveUp =
                    () -> {
                        used.killLauncher();
                        used.releaseOpeners();
                    };
            try (Watchdog.Guard guard = watchdog.arm(settings.createTimeoutMillis(), giveUp)) {
                pipes = slot.start(BwrapCommand.of(spec, controlShell));
                ControlShell shell = new ControlShell(pipes);
                String problem = shell.prepare(preparation);
                if (problem == null) {
                    return register(spec, slot, pipes, shell, ended);
                }
                throw new IOException(problem);
            }
        } catch (IOException e) {
            abandon(slot, pipes);
            boolean cancelled =
                    e instanceof ClosedByInterruptException || e instanceof InterruptedIOException;
            throw new SandboxException(
                    cancelled ? Kind.CANCELLED : Kind.CREATE_FAILED, false, e.getMessage(), e);
        }
    }

    private BubblewrapSandbox register(
            SandboxSpec spec, Slot slot, Slot.Pipes pipes, ControlShell shell, Runnable ended) {
        BubblewrapSandbox[] self = new BubblewrapSandbox[1];
        Runnable onEnd =
                () -> {
                    live.remove(self[0]);
                    ended.run();
                };
        SandboxLife life = new SandboxLife(slot, pipes, watchdog, pool, onEnd);
        self[0] = new BubblewrapSandbox(spec, settings, shell, watchdog, life);
        live.add(self[0]);
        return self[0];
    }

    private void abandon(Slot slot, Slot.Pipes pipes) {
        if (pipes != null) {
            try (var requests = pipes.requests();
                    var answers = pipes.answers()) {
                LOG.debug("a sandbox did not start");
            } catch (IOException e) {
                LOG.debug("closing the pipes of a sandbox failed", e);
            }
        }
        if (slot != null) {
            pool.giveBack(slot, false);
        }
    }

    private String preparation(SandboxSpec spec) {
        SandboxLimits limits = spec.limits();
        StringBuilder text = new StringBuilder("trap 'kill -9 -1' TERM\nexec 3<&0\numask 022\n");
        limit(text, "c", 0);
        limit(text, "n", 1024);
        limit(text, "f", limits.diskMb() * 2048L);
        if (!tree.has("pids")) {
            // The name of this limit is u in most shells and p in dash.
            long most = limits.processes() + 2L;
            text.append("ulimit -u " + most + " 2>/dev/null || ulimit -p " + most);
            text.append(" || exit 70\n");
        }
        if (!tree.has("memory")) {
            limit(text, "v", limits.memoryMb() * 1024L);
        }
        text.append(ShellText.exports(spec.environment()));
        // The shell's own remarks, such as Terminated, are no output of a command.
        return text.append("exec 2>/dev/null\n").toString();
    }

    /** A limit that can't be set ends the shell: nothing runs without it. */
    private static void limit(StringBuilder text, String option, long value) {
        text.append("ulimit -").append(option).append(' ').append(value).append(" || exit 70\n");
    }

    @Override
    public Optional<Sandbox> attach(Lease lease) throws SandboxException {
        return leases.attach(lease);
    }

    @Override
    public List<String> leases(String owner) {
        return leases.leases(owner);
    }

    @Override
    public int reap(String owner, long fence, Set<String> keep) {
        return leases.reap(owner, fence, keep);
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        endAll();
        watchdog.close();
        launch.close();
        try {
            Runtime.getRuntime().removeShutdownHook(exitHook);
        } catch (IllegalStateException exiting) {
            LOG.debug("closed while the process ends");
        }
    }

    private void endAll() {
        for (BubblewrapSandbox sandbox : List.copyOf(live)) {
            sandbox.kill();
        }
        SlotPool slots = pool;
        if (slots != null) {
            slots.close();
        }
        registry.forget(stamp);
    }
}
