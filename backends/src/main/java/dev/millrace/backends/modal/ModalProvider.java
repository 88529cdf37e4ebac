package dev.millrace.backends.modal;

import dev.millrace.backends.lease.LeaseTable;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxCapabilities;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.SandboxLimits;
import dev.millrace.backends.port.SandboxProvider;
import dev.millrace.backends.port.SandboxSpec;
import dev.millrace.backends.sandbox.LabelledSandboxes;
import dev.millrace.backends.sandbox.OwnerStamp;
import dev.millrace.backends.sandbox.Strays;
import dev.millrace.backends.sandbox.Watchdog;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sandboxes of Modal. A live one can be attached to from any process: what it has executed is
 * recorded in it, out of reach of what runs there. Every sandbox carries its lease, owner and fence
 * as tags, so that those that a killed process leaves are found and ended by the next.
 */
public final class ModalProvider implements SandboxProvider {
    private static final Logger LOG = LoggerFactory.getLogger(ModalProvider.class);
    private static final long EXPIRY_MILLIS = 1000;

    private final ModalSettings settings;
    private final Map<String, String> environment;
    private final String stamp = OwnerStamp.mint();
    private final LeaseTable leases = new LeaseTable();
    private final Set<Sandbox> live = ConcurrentHashMap.newKeySet();
    private final Watchdog watchdog = new Watchdog();
    private final Thread exitHook = new Thread(this::endAll, "sandbox-exit");
    private Service service;
    private SandboxCapabilities capabilities;
    private boolean closed;

    /**
     * Does nothing before it is asked for something.
     *
     * @param environment variables of the process, among them the token
     */
    public ModalProvider(ModalSettings settings, Map<String, String> environment) {
        this.settings = settings;
        this.environment = environment;
        watchdog.every(EXPIRY_MILLIS, () -> leases.expire(System.nanoTime()));
        Runtime.getRuntime().addShutdownHook(exitHook);
    }

    /** What there is once the server is known. */
    private record Service(ControlPlane control, Creation creation, Strays strays) {}

    private synchronized Service service() throws SandboxException {
        if (closed) {
            throw closed();
        }
        if (service == null) {
            ControlPlane control = new ControlPlane(settings, ModalCredentials.from(environment));
            ModalSandboxes sandboxes = new ModalSandboxes(control);
            Strays strays = new Strays(sandboxes, stamp);
            try {
                int left = strays.clearUp();
                LOG.info("Sandboxes of processes that are gone, now ended: {}", left);
            } catch (SandboxException e) {
                control.close();
                throw e;
            }
            Creation creation = new Creation(control, sandboxes, watchdog, stamp);
            service = new Service(control, creation, strays);
        }
        return service;
    }

    @Override
    public String name() {
        return "modal";
    }

    @Override
    public SandboxCapabilities probe() throws SandboxException {
        service();
        synchronized (this) {
            if (capabilities == null) {
                tryOne();
                capabilities =
                        new SandboxCapabilities(
                                SandboxCapabilities.Attach.ANYWHERE,
                                List.of("network: blocked", "memory, cpu: Modal's hard limits"),
                                List.of(
                                        "disk: only the size of single files is limited",
                                        "pids: a resource limit of the commands' user, as far as"
                                                + " the kernel inside knows it"));
                LOG.info("modal sandboxes: {}", capabilities);
            }
            return capabilities;
        }
    }

    /** The interface is not a public one: what it does now is seen by making a sandbox. */
    private void tryOne() throws SandboxException {
        if (settings.image().isEmpty()) {
            return;
        }
        SandboxSpec spec =
                new SandboxSpec(
                        "probe-" + stamp, "probe", "", "/workspace", Map.of(), SandboxLimits.SMALL);
        try {
            create(spec).close();
        } catch (SandboxException e) {
            if (e.kind() != Kind.CREATE_FAILED && e.kind() != Kind.IMAGE) {
                throw e;
            }
            throw new SandboxException(
                    Kind.UNSUPPORTED,
                    false,
                    "no sandbox can be made of image " + settings.image() + ": " + e.getMessage(),
                    e);
        }
    }

    @Override
    public boolean servesUser(String user) {
        return ModalSettings.serves(user);
    }

    @Override
    public Sandbox create(SandboxSpec spec) throws SandboxException {
        Service open = service();
        return leases.create(
                spec.lease(),
                ended -> {
                    open.strays().replace(spec.lease());
                    return held(end -> open.creation().create(spec, end), ended);
                });
    }

    private static SandboxException closed() {
        return new SandboxException(Kind.UNREACHABLE, "the sandbox provider is closed");
    }

    private interface Maker {
        Sandbox make(Runnable ended) throws SandboxException;
    }

    private Sandbox held(Maker maker, Runnable ended) throws SandboxException {
        Sandbox[] self = new Sandbox[1];
        Sandbox made =
                maker.make(
                        () -> {
                            if (self[0] != null) {
                                live.remove(self[0]);
                            }
                            ended.run();
                        });
        self[0] = made;
        live.add(made);
        synchronized (this) {
            if (!closed) {
                return made;
            }
        }
        made.close();
        throw closed();
    }

    /** One of another process is taken over when no newer owner has it. */
    @Override
    public Optional<Sandbox> attach(Lease lease) throws SandboxException {
        Optional<Sandbox> own = leases.attach(lease);
        if (own.isPresent()) {
            return own;
        }
        Service open = service();
        List<LabelledSandboxes.Found> found = open.strays().of(lease);
        if (found.size() != 1) {
            return Optional.empty();
        }
        String id = found.get(0).id();
        return Optional.of(
                leases.create(
                        lease, ended -> held(end -> open.creation().adopt(lease, id, end), ended)));
    }

    @Override
    public List<String> leases(String owner) {
        Set<String> names = new TreeSet<>(leases.leases(owner));
        try {
            names.addAll(service().strays().leases(owner));
        } catch (SandboxException e) {
            LOG.warn("Sandboxes of other processes can't be listed", e);
        }
        return List.copyOf(names);
    }

    @Override
    public int reap(String owner, long fence, Set<String> keep) {
        int count = leases.reap(owner, fence, keep);
        try {
            count += service().strays().reap(owner, fence, keep);
        } catch (SandboxException e) {
            LOG.warn("Sandboxes of other processes can't be reaped owner={}", owner, e);
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
        synchronized (this) {
            if (service != null) {
                service.control().close();
            }
        }
        try {
            Runtime.getRuntime().removeShutdownHook(exitHook);
        } catch (IllegalStateException exiting) {
            LOG.debug("closed while the process ends");
        }
    }

    private void endAll() {
        List.copyOf(live).parallelStream().forEach(Sandbox::close);
    }
}
