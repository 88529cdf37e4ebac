package dev.millrace.backends.modal;

import dev.millrace.backends.effect.Pace;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.SandboxSpec;
import dev.millrace.backends.sandbox.Labels;
import dev.millrace.backends.sandbox.Watchdog;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** From a request to a sandbox that takes commands; no more and no faster than is allowed. */
final class Creation {
    private static final long USUAL_PAUSE_MILLIS = 1_000;

    private final ControlPlane control;
    private final ModalSandboxes sandboxes;
    private final Images images;
    private final Watchdog timer;
    private final String process;
    private final Pace pace;
    private final Semaphore permits;
    private final AtomicLong count = new AtomicLong();

    Creation(ControlPlane control, ModalSandboxes sandboxes, Watchdog timer, String process) {
        this.control = control;
        this.sandboxes = sandboxes;
        this.images = new Images(control);
        this.timer = timer;
        this.process = process;
        this.pace = new Pace(control.settings().createsPerSecond());
        this.permits = new Semaphore(control.settings().mostSandboxes());
    }

    /**
     * A fresh one; nothing is left of one that can't be made.
     *
     * @param ended called when it is gone
     */
    ModalSandbox create(SandboxSpec spec, Runnable ended) throws SandboxException {
        if (!ModalSettings.serves(spec.user())) {
            throw new SandboxException(
                    Kind.UNSUPPORTED,
                    "commands can't run as user '" + spec.user() + "': name another one's number");
        }
        ModalSettings settings = control.settings().as(spec.user());
        String image = spec.image().isEmpty() ? settings.image() : spec.image();
        if (image.isEmpty()) {
            throw new SandboxException(
                    Kind.UNSUPPORTED,
                    "the task names no image and there is no usual one: set sandbox.modal.image");
        }
        String imageId = images.require(image);
        acquire();
        String id;
        try {
            Pause.millis(pace.reserve());
            CreateRequest.Names names = new CreateRequest.Names(name(spec.lease()), process);
            id =
                    sandboxes.create(
                            CreateRequest.of(spec, settings, control.appId(), imageId, names));
        } catch (SandboxException | RuntimeException e) {
            permits.release();
            slowDown(e);
            throw e;
        }
        return started(
                life(id, ended),
                (open, root) -> {
                    ModalSandbox sandbox =
                            new ModalSandbox(spec, settings, open.life(), root, List.of());
                    sandbox.prepare();
                    return sandbox;
                });
    }

    /** One that another process has made, once its older owners are shut out. */
    ModalSandbox adopt(Lease lease, String id, Runnable ended) throws SandboxException {
        acquire();
        return started(life(id, ended), (open, root) -> takenOver(lease, open, root));
    }

    private interface Step {
        ModalSandbox run(OpenSandbox open, RootCommands root) throws SandboxException;
    }

    private ModalSandbox started(OpenSandbox open, Step step) throws SandboxException {
        try {
            requireWanted();
            String task = sandboxes.taskId(open.life().id());
            open.connect(Router.open(control, task));
            RootCommands root =
                    new RootCommands(
                            open.router(), RetryPolicy.router(control.settings().times()), timer);
            ModalSandbox sandbox = step.run(open, root);
            requireWanted();
            return sandbox;
        } catch (SandboxException | RuntimeException e) {
            open.life().close();
            throw e;
        }
    }

    private ModalSandbox takenOver(Lease lease, OpenSandbox open, RootCommands root)
            throws SandboxException {
        RootCommands.Done done =
                root.run(
                        Scripts.takeOver(lease.fence()),
                        control.settings().times().requestMillis());
        if (done.exitCode() != 0) {
            throw new SandboxException(
                    Kind.DIED, "a sandbox without its records: " + done.report());
        }
        sandboxes.tag(open.life().id(), lease, process);
        List<String> lines = new String(done.output(), StandardCharsets.UTF_8).lines().toList();
        SandboxSpec spec = SpecText.read(lease, lines.isEmpty() ? "" : lines.get(0));
        ModalSettings settings = control.settings().as(spec.user());
        return new ModalSandbox(spec, settings, open.life(), root, lines.subList(1, lines.size()));
    }

    private OpenSandbox life(String id, Runnable ended) {
        return new OpenSandbox(
                sandboxes,
                id,
                () -> {
                    permits.release();
                    ended.run();
                });
    }

    private String name(Lease lease) {
        return Labels.name(lease, process + "-" + count.incrementAndGet());
    }

    private void slowDown(Exception e) {
        if (e instanceof SandboxException refused && refused.kind() == Kind.RATE_LIMITED) {
            pace.pause(Math.max(USUAL_PAUSE_MILLIS, refused.retryAfterMillis()));
        }
    }

    private void acquire() throws SandboxException {
        long most = control.settings().times().startMillis();
        try {
            if (!permits.tryAcquire(most, TimeUnit.MILLISECONDS)) {
                throw new SandboxException(
                        control.settings().mostSandboxes()
                                + " sandboxes are open, as many as"
                                + " sandbox.modal.mostSandboxes allows",
                        0);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ModalFailure.cancelled(e);
        }
    }

    private static void requireWanted() throws SandboxException {
        if (Thread.currentThread().isInterrupted()) {
            throw ModalFailure.cancelled(null);
        }
    }
}
