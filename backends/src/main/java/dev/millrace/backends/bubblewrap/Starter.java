package dev.millrace.backends.bubblewrap;

import dev.millrace.backends.bubblewrap.Layers.Layer;
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
            Layers layers) {
        this.settings = settings;
        this.watchdog = watchdog;
        this.live = live;
        this.pool = pool;
        this.tree = tree;
        this.filtered = filtered;
        this.layers = layers;
    }

    /** Starts a sandbox with nothing in it. */
    BubblewrapSandbox start(SandboxSpec spec, Runnable ended) throws SandboxException {
        return start(spec, ended, 0, BwrapCommand.of(spec, controlShell, filtered));
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
        Runnable onEnd =
                () -> {
                    layers.giveBack(layer);
                    ended.run();
                };
        String bwrap =
                BwrapCommand.on(Layers.FROM_SLOT + layer.name(), spec, controlShell, filtered);
        boolean started = false;
        try {
            BubblewrapSandbox sandbox = start(spec, onEnd, layer.uid(), bwrap);
            started = true;
            return sandbox;
        } finally {
            if (!started) {
                layers.giveBack(layer);
            }
        }
    }

    private BubblewrapSandbox start(SandboxSpec spec, Runnable ended, int uid, String bwrap)
            throws SandboxException {
        String preparation = preparation(spec);
        Slot slot = null;
        Slot.Pipes pipes = null;
        try {
            slot = pool.take(uid);
            slot.cgroup.limit(spec.limits());
            Slot used = slot;
            Runnable giveUp =
                    () -> {
                        used.killLauncher();
                        used.releaseOpeners();
                    };
            try (Watchdog.Guard guard = watchdog.arm(settings.createTimeoutMillis(), giveUp)) {
                pipes = slot.start(bwrap, SandboxUser.of(spec.user()).orElseThrow());
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
        self[0] = new BubblewrapSandbox(spec, settings, shell, watchdog, life, layers);
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
}
