package dev.millrace.backends.docker;

import dev.millrace.backends.lease.LeaseTable;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxCapabilities;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.SandboxProvider;
import dev.millrace.backends.port.SandboxSpec;
import dev.millrace.backends.sandbox.Labels;
import dev.millrace.backends.sandbox.OwnerStamp;
import dev.millrace.backends.sandbox.Strays;
import dev.millrace.backends.sandbox.Watchdog;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sandboxes as containers of a Docker daemon, or of one that speaks its interface. A live one can
 * be attached to from the process that made it. Every container carries its lease, owner and fence,
 * so that those that a killed process leaves are found and removed by the next.
 */
public final class DockerProvider implements SandboxProvider {
    private static final Logger LOG = LoggerFactory.getLogger(DockerProvider.class);
    private static final long EXPIRY_MILLIS = 1000;

    private final DockerSettings settings;
    private final String stamp = OwnerStamp.mint();
    private final Engine engine;
    private final Containers containers;
    private final Images images;
    private final Strays strays;
    private final LeaseTable leases = new LeaseTable();
    private final Set<DockerSandbox> live = ConcurrentHashMap.newKeySet();
    private final Watchdog watchdog = new Watchdog();
    private final Thread exitHook = new Thread(this::endAll, "sandbox-exit");
    private EngineTraits traits;
    private SandboxCapabilities capabilities;
    private boolean closed;

    /** Does nothing before it is asked for something. */
    public DockerProvider(DockerSettings settings) {
        this.settings = settings;
        this.engine = new Engine(settings.socket());
        this.containers = new Containers(engine, settings.requestTimeoutMillis());
        this.images = new Images(engine, settings);
        this.strays = new Strays(containers, stamp);
        watchdog.every(EXPIRY_MILLIS, () -> leases.expire(System.nanoTime()));
        Runtime.getRuntime().addShutdownHook(exitHook);
    }

    @Override
    public String name() {
        return "docker";
    }

    @Override
    public SandboxCapabilities probe() throws SandboxException {
        EngineTraits known = traits();
        synchronized (this) {
            if (capabilities == null) {
                capabilities = Trial.run(this, stamp, settings, known.capabilities());
                LOG.info("docker sandboxes: {}", capabilities);
            }
            return capabilities;
        }
    }

    private synchronized EngineTraits traits() throws SandboxException {
        if (closed) {
            throw new SandboxException(Kind.UNREACHABLE, "the sandbox provider is closed");
        }
        if (traits == null) {
            engine.connect(settings.requestTimeoutMillis());
            EngineTraits found = EngineTraits.read(engine, settings);
            int left = strays.clearUp();
            LOG.info("Containers of processes that are gone, now removed: {}", left);
            traits = found;
        }
        return traits;
    }

    @Override
    public boolean servesUser(String user) {
        return DockerSettings.serves(user);
    }

    @Override
    public Sandbox create(SandboxSpec spec) throws SandboxException {
        EngineTraits known = traits();
        return leases.create(spec.lease(), ended -> start(spec, known, ended));
    }

    private Sandbox start(SandboxSpec spec, EngineTraits known, Runnable ended)
            throws SandboxException {
        if (!servesUser(spec.user())) {
            throw new SandboxException(
                    Kind.UNSUPPORTED,
                    "commands can't run as user '" + spec.user() + "': name another one's number");
        }
        String image = spec.image().isEmpty() ? settings.image() : spec.image();
        if (image.isEmpty()) {
            throw new SandboxException(
                    Kind.UNSUPPORTED,
                    "the task names no image and there is no usual one: set sandbox.docker.image");
        }
        long imageBytes = images.require(image);
        strays.replace(spec.lease());
        requireWanted();
        String name = Labels.name(spec.lease(), stamp);
        DockerSandbox[] self = new DockerSandbox[1];
        ContainerLife life =
                new ContainerLife(
                        containers,
                        name,
                        () -> {
                            live.remove(self[0]);
                            ended.run();
                        });
        self[0] = new DockerSandbox(spec, settings.as(spec.user()), engine, life);
        live.add(self[0]);
        try {
            long disk = known.diskBytes(spec.limits(), imageBytes);
            containers.create(
                    name, ContainerRequest.of(spec, image, Labels.of(spec.lease(), stamp), disk));
            containers.start(name);
            if (!containers.state(name).running()) {
                throw new SandboxException(
                        Kind.IMAGE, "image " + image + " lacks one of sh, date, timeout and tail");
            }
            self[0].prepare();
            requireWanted();
            return self[0];
        } catch (SandboxException | RuntimeException e) {
            self[0].close();
            throw e;
        }
    }

    private static void requireWanted() throws SandboxException {
        if (Thread.currentThread().isInterrupted()) {
            throw new SandboxException(Kind.CANCELLED, "cancelled by the caller");
        }
    }

    @Override
    public Optional<Sandbox> attach(Lease lease) throws SandboxException {
        return leases.attach(lease);
    }

    @Override
    public List<String> leases(String owner) {
        Set<String> names = new TreeSet<>(leases.leases(owner));
        try {
            traits();
            names.addAll(strays.leases(owner));
        } catch (SandboxException e) {
            LOG.warn("Containers of other processes can't be listed", e);
        }
        return List.copyOf(names);
    }

    @Override
    public int reap(String owner, long fence, Set<String> keep) {
        int count = leases.reap(owner, fence, keep);
        try {
            traits();
            count += strays.reap(owner, fence, keep);
        } catch (SandboxException e) {
            LOG.warn("Containers of other processes can't be reaped owner={}", owner, e);
        }
        return count;
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
        try {
            Runtime.getRuntime().removeShutdownHook(exitHook);
        } catch (IllegalStateException exiting) {
            LOG.debug("closed while the process ends");
        }
    }

    private void endAll() {
        List.copyOf(live).parallelStream().forEach(DockerSandbox::close);
    }
}
