package dev.millrace.backends.bubblewrap;

import dev.millrace.backends.image.TreeLimits;
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
import dev.millrace.backends.sandbox.Uninterrupted;
import dev.millrace.backends.sandbox.Watchdog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
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

    /** With an image, whose tree the sandbox may write to everywhere. */
    private static final List<String> CLOSED_IN_IMAGES = List.of("/proc", "/dev", "/sys");

    private static final long EXPIRY_MILLIS = 1000;
    private static final String PROBE_LAYER = "probe";
    private static final SandboxSpec PROBE =
            new SandboxSpec("probe", "probe", "", "/workspace", Map.of(), SandboxLimits.SMALL);

    private final BubblewrapSettings settings;
    private final String stamp = OwnerStamp.mint();
    private final LaunchThread launch = new LaunchThread();
    private final Watchdog watchdog = new Watchdog();
    private final Set<BubblewrapSandbox> live = ConcurrentHashMap.newKeySet();
    private final LeaseTable leases = new LeaseTable();
    private final OwnerRegistry registry = OwnerRegistry.ofHost();
    private final Thread exitHook = new Thread(this::endAll, "sandbox-exit");
    private final Supplier<CgroupTree> cgroups;
    private final Optional<SystemCalls> calls;
    private CgroupTree tree;
    private SlotPool pool;
    private Starter starter;
    private Layers layers;
    private volatile boolean sharing;
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
        this.calls = SystemCalls.of(System.getProperty("os.arch"));
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
            Path scratch = prepareScratch();
            pool = new SlotPool(scratch, stamp, uid, tree, launch, watchdog);
            layers = new Layers(scratch, SlotPool.firstLayerUid(uid));
            ImageTrees images = new ImageTrees(layers, TreeLimits.USUAL);
            boolean filtered = calls.isPresent();
            starter = new Starter(settings, watchdog, live, pool, tree, filtered, layers, images);
        }
        tryOne();
        sharing = tryLayer();
        return HostProbe.capabilities(tree, uid != 0, calls.isPresent(), sharing);
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
                    FileTrees.remove(settings.scratch().resolve(name));
                }
            }
            registry.scratch(stamp, settings.scratch());
            Path folder = Files.createDirectories(settings.scratch().resolve(stamp));
            Path trees = Files.createDirectories(folder.resolve(Layers.FOLDER));
            for (Path each : List.of(folder, trees)) {
                Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwx--x--x"));
            }
            boolean tracing = settings.tracing();
            filter(folder, SlotPool.FILTER, known -> SystemCallFilter.of(known, tracing));
            filter(folder, SlotPool.ROOT_FILTER, known -> SystemCallFilter.forRoot(known, tracing));
            return folder;
        } catch (IOException e) {
            throw new SandboxException(
                    Kind.UNSUPPORTED,
                    false,
                    "can't use the scratch folder " + settings.scratch() + ": " + e.getMessage(),
                    e);
        }
    }

    /** Writes a filter of system calls, an empty file where there is none. */
    private void filter(Path folder, String name, Function<SystemCalls, byte[]> filter)
            throws IOException {
        Path file = Files.write(folder.resolve(name), calls.map(filter).orElse(new byte[0]));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    }

    private void tryOne() throws SandboxException {
        try (Sandbox one = starter.start(PROBE, () -> {})) {
            one.keepAs(PROBE_LAYER);
        } catch (SandboxException e) {
            throw HostProbe.explain(e.getMessage());
        }
    }

    /** Whether sandboxes can share a file tree here; sandboxes without work in any case. */
    private boolean tryLayer() {
        try (Sandbox one = starter.startFrom(PROBE_LAYER, PROBE, () -> {})) {
            return true;
        } catch (SandboxException e) {
            LOG.info("Sandboxes share no file trees on this host: {}", e.getMessage());
            layers.stop();
            return false;
        }
    }

    @Override
    public boolean servesUser(String user) {
        return SandboxUser.of(user).isPresent();
    }

    @Override
    public Sandbox create(SandboxSpec asked) throws SandboxException {
        probe();
        SandboxSpec spec =
                asked.preparing() ? asked.within(settings.preparation().limits()) : asked;
        requireServable(spec);
        registry.owner(stamp, spec.lease().owner());
        return leases.create(spec.lease(), ended -> starter.start(spec, ended));
    }

    @Override
    public boolean sharesTrees() throws SandboxException {
        probe();
        return sharing;
    }

    @Override
    public Optional<Sandbox> createFrom(String layer, SandboxSpec spec) throws SandboxException {
        probe();
        requireServable(spec);
        if (!starter.has(layer)) {
            return Optional.empty();
        }
        registry.owner(stamp, spec.lease().owner());
        return Optional.of(
                leases.create(spec.lease(), ended -> starter.startFrom(layer, spec, ended)));
    }

    private void requireServable(SandboxSpec spec) throws SandboxException {
        boolean image = !spec.image().isEmpty();
        if (!image && SandboxUser.of(spec.user()).isEmpty()) {
            throw new SandboxException(
                    Kind.UNSUPPORTED,
                    "'" + spec.user() + "' is neither the name nor the number of a user");
        }
        if (image && !sharing) {
            throw new SandboxException(
                    Kind.UNSUPPORTED,
                    "sandboxes on an image need overlays in user namespaces and a memory disk with"
                            + " user attributes (kernel 6.6), which this host doesn't give: image "
                            + spec.image());
        }
        Path workdir = Path.of(spec.workdir());
        List<String> closed = image ? CLOSED_IN_IMAGES : CLOSED_PATHS;
        boolean shut = closed.stream().anyMatch(workdir::startsWith);
        if (!workdir.isAbsolute() || !workdir.equals(workdir.normalize()) || shut) {
            throw new SandboxException(
                    Kind.UNSUPPORTED,
                    "the working folder '"
                            + spec.workdir()
                            + "' is not an absolute path outside of "
                            + closed);
        }
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
            layers.stop();
            slots.close();
        }
        registry.forget(stamp);
    }
}
