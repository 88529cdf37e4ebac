package dev.millrace.backends.bubblewrap;

import dev.millrace.backends.bubblewrap.Layers.Layer;
import dev.millrace.backends.image.ImageConfig;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.SandboxLimits;
import dev.millrace.backends.port.SandboxSpec;
import dev.millrace.backends.sandbox.ShellText;
import dev.millrace.backends.sandbox.Watchdog;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts sandboxes in slots. */
final class Starter {
    private static final Logger LOG = LoggerFactory.getLogger(Starter.class);

    private final BubblewrapSettings settings;
    private final Watchdog watchdog;
    private final Set<BubblewrapSandbox> live;
    private final SlotPool pool;
    private final CgroupTree tree;
    private final boolean filtered;
    private final Layers layers;
    private final ImageTrees images;
    private final LayerArchive archive;
    private final String controlShell = HostProbe.controlShell();

    /**
     * @param live where a sandbox is from its start to its end
     * @param filtered whether there is a filter of system calls
     */
    Starter(
            BubblewrapSettings settings,
            Watchdog watchdog,
            Set<BubblewrapSandbox> live,
            SlotPool pool,
            CgroupTree tree,
            boolean filtered,
            Layers layers,
            ImageTrees images) {
        this.settings = settings;
        this.watchdog = watchdog;
        this.live = live;
        this.pool = pool;
        this.tree = tree;
        this.filtered = filtered;
        this.layers = layers;
        this.images = images;
        this.archive = new LayerArchive(watchdog);
    }

    /**
     * What a sandbox is started as.
     *
     * @param uid host id that it must have; 0 for one of its own
     * @param bwrap command line
     * @param filter name of the file with its filter of system calls
     * @param layer the image's layer that it lies on, of which only its own changes are kept
     */
    private record Start(int uid, String bwrap, String filter, Optional<Layer> layer) {}

    /** Starts a sandbox with nothing in it but its image. */
    BubblewrapSandbox start(SandboxSpec spec, Runnable ended) throws SandboxException {
        if (spec.image().isEmpty()) {
            String bwrap = BwrapCommand.of(spec, controlShell, filtered);
            return start(spec, ended, new Start(0, bwrap, SlotPool.FILTER, Optional.empty()));
        }
        return startOn(images.take(spec.image()), spec, ended);
    }

    /** Whether there is a layer to start from. */
    boolean has(String key) {
        Optional<Layer> layer = layers.take(key);
        layer.ifPresent(layers::giveBack);
        return layer.isPresent();
    }

    /** Starts a sandbox on a layer. */
    BubblewrapSandbox startFrom(String key, SandboxSpec spec, Runnable ended)
            throws SandboxException {
        Layer layer =
                layers.take(key)
                        .orElseThrow(
                                () ->
                                        new SandboxException(
                                                Kind.CREATE_FAILED,
                                                "its file tree is not kept any more"));
        return startOn(layer, spec, ended);
    }

    /** Gives the layer back when the sandbox has ended or did not start. */
    private BubblewrapSandbox startOn(Layer layer, SandboxSpec spec, Runnable ended)
            throws SandboxException {
        Runnable onEnd =
                () -> {
                    layers.giveBack(layer);
                    ended.run();
                };
        boolean started = false;
        try {
            BubblewrapSandbox sandbox = start(spec, onEnd, on(layer, spec));
            started = true;
            return sandbox;
        } finally {
            if (!started) {
                layers.giveBack(layer);
            }
        }
    }

    private Start on(Layer layer, SandboxSpec spec) throws SandboxException {
        if (spec.image().isEmpty()) {
            String bwrap = BwrapCommand.on(layer.lower(), spec, controlShell, filtered);
            return new Start(layer.uid(), bwrap, SlotPool.FILTER, Optional.empty());
        }
        ImageConfig config = images.config(spec.image());
        String user = spec.preparing() ? "" : spec.user().isEmpty() ? config.user() : spec.user();
        Account account =
                Account.find(user, Account.database(layers.folders(layer)))
                        .orElseThrow(
                                () ->
                                        new SandboxException(
                                                Kind.IMAGE,
                                                "image " + spec.image() + " has no user " + user));
        String filter = account.uid() == 0 ? SlotPool.ROOT_FILTER : SlotPool.FILTER;
        String bwrap =
                ImageCommand.of(layer, config, account, spec, settings.preparation(), filtered);
        return new Start(layer.uid(), bwrap, filter, Optional.of(layer));
    }

    private BubblewrapSandbox start(SandboxSpec spec, Runnable ended, Start how)
            throws SandboxException {
        String preparation = preparation(spec);
        Slot slot = null;
        Slot.Pipes pipes = null;
        try {
            slot = pool.take(how.uid());
            slot.cgroup.limit(spec.limits());
            Slot used = slot;
            Runnable giveUp =
                    () -> {
                        used.killLauncher();
                        used.releaseOpeners();
                    };
            try (Watchdog.Guard guard = watchdog.arm(settings.createTimeoutMillis(), giveUp)) {
                SandboxUser user = SandboxUser.of(spec.user()).orElse(SandboxUser.AGENT);
                pipes = slot.start(how.bwrap(), how.filter(), user);
                ControlShell shell = new ControlShell(pipes);
                String problem = shell.prepare(preparation);
                if (problem == null) {
                    return register(spec, slot, pipes, shell, ended, how);
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
            SandboxSpec spec,
            Slot slot,
            Slot.Pipes pipes,
            ControlShell shell,
            Runnable ended,
            Start how) {
        BubblewrapSandbox[] self = new BubblewrapSandbox[1];
        Runnable onEnd =
                () -> {
                    live.remove(self[0]);
                    ended.run();
                };
        SandboxLife life = new SandboxLife(slot, pipes, watchdog, pool, onEnd);
        self[0] =
                new BubblewrapSandbox(
                        spec, settings, shell, watchdog, life, keeper(spec, slot, how));
        live.add(self[0]);
        return self[0];
    }

    private BubblewrapSandbox.Keeper keeper(SandboxSpec spec, Slot slot, Start how) {
        long most = LayerArchive.most(spec.limits());
        return (key, own) -> {
            LayerArchive.Source source =
                    how.layer().isPresent() ? new UpperArchive(slot, most) : own;
            return layers.keep(
                    key, how.layer(), (folder, uid) -> archive.unpack(source, folder, uid));
        };
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
        if (spec.preparing()) {
            text.append(ShellText.exports(settings.preparation().variables()));
        }
        // The shell's own remarks, such as Terminated, are no output of a command.
        return text.append("exec 2>/dev/null\n").toString();
    }

    /** A limit that can't be set ends the shell: nothing runs without it. */
    private static void limit(StringBuilder text, String option, long value) {
        text.append("ulimit -").append(option).append(' ').append(value).append(" || exit 70\n");
    }
}
