package dev.millrace.backends.rollout;

import dev.millrace.backends.effect.Backoff;
import dev.millrace.backends.effect.Calls;
import dev.millrace.backends.effect.Retrier;
import dev.millrace.backends.effect.Terminations;
import dev.millrace.backends.port.EffectRunner;
import dev.millrace.backends.port.SandboxCapabilities;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.step.Effect;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the effects of the rollout stage. A slot is held from boot to capture; waiting for
 * one, and the pause before another try, are outside every deadline. A sandbox that is gone is
 * found again or rebuilt by running the past commands again. What releases a sandbox never waits
 * for it to be gone.
 */
public final class RolloutRunner implements EffectRunner {
    private static final Logger LOG = LoggerFactory.getLogger(RolloutRunner.class);
    private static final long CLOSE_MILLIS = 5_000;

    private final RolloutPorts ports;
    private final RunnerSettings settings;
    private final GuardedRenderer renderer;
    private final Calls work;
    private final Calls endings;
    private final Terminations terminations;
    private final Sandboxes sandboxes;
    private final Sampling sampling;
    private final AttemptCalls calls;
    private final Permits slots;
    private final Map<String, LiveAttempt> live = new ConcurrentHashMap<>();

    /** With the usual limits and no successor. */
    public RolloutRunner(RolloutPorts ports, int slotCount) {
        this(ports, RunnerSettings.of(slotCount, "rollout"));
    }

    /**
     * With everything said.
     *
     * @param given closed with the runner
     */
    public RolloutRunner(RolloutPorts given, RunnerSettings settings) {
        this.renderer = new GuardedRenderer(given.renderer());
        this.ports =
                new RolloutPorts(
                        given.tasks(),
                        given.sampler(),
                        renderer,
                        given.store(),
                        given.observations());
        this.settings = settings;
        this.work = new Calls("rollout-effect");
        this.endings = new Calls("rollout-end");
        this.terminations = new Terminations(endings, settings.limits());
        this.sandboxes = new Sandboxes(ports, settings, work);
        this.sampling = new Sampling(ports, settings.limits(), work);
        this.calls = new AttemptCalls(ports, settings.limits(), work, sandboxes);
        this.slots = new Permits(settings.slots());
        long ttl = settings.limits().ttl();
        if (ttl > 0) {
            endings.every(Math.max(1, ttl / 4), () -> live.values().forEach(LiveAttempt::renew));
        }
    }

    @Override
    public CompletableFuture<StepEvent> start(Effect effect) {
        LiveAttempt attempt =
                live.computeIfAbsent(key(effect), k -> new LiveAttempt(slots, terminations));
        long start = System.nanoTime();
        // Whatever goes wrong is this attempt's alone.
        return carryOut(effect, attempt)
                .exceptionally(failure -> AttemptCalls.undone(effect, start, Retrier.root(failure)))
                .thenApply(event -> reported(effect, attempt, event));
    }

    private CompletableFuture<StepEvent> carryOut(Effect effect, LiveAttempt attempt) {
        return switch (effect.kind()) {
            case SAMPLE ->
                    // A try that ends here gives back what the next one needs.
                    sampling.sample(effect, attempt);
            case OBSERVE ->
                    work.run("observation", settings.limits().boot(), () -> calls.observe(effect));
            case BOOT ->
                    pause(effect)
                            .thenCompose(over -> attempt.slot())
                            .thenCompose(held -> calls.boot(effect, attempt));
            case EXECUTE -> attempt.slot().thenCompose(held -> calls.execute(effect, attempt));
            case ADVANCE -> attempt.slot().thenCompose(held -> calls.advance(effect, attempt));
            case CAPTURE -> attempt.slot().thenCompose(held -> calls.capture(effect, attempt));
            default ->
                    throw new IllegalArgumentException(
                            "not an effect of rollout: " + effect.kind());
        };
    }

    /** Tries that follow a lost one come later and later, and not all at once. */
    private CompletableFuture<Void> pause(Effect effect) {
        double random = ThreadLocalRandom.current().nextDouble();
        return work.after(
                effect.turn() == 0
                        ? 0
                        : Backoff.millis(settings.limits().backoff(), effect.turn(), random));
    }

    private StepEvent reported(Effect effect, LiveAttempt attempt, StepEvent event) {
        if (attempt.released()) {
            throw new CancellationException("released");
        }
        if (event.kind() == StepEvent.Kind.FAILED || event.kind() == StepEvent.Kind.CAPTURED) {
            drop(key(effect));
        }
        return event;
    }

    @Override
    public void release(String itemId, String admissionId) {
        live.keySet().stream()
                .filter(k -> k.startsWith(prefix(itemId, admissionId)))
                .toList()
                .forEach(this::drop);
    }

    @Override
    public void reap(String runId, Set<String> openLeases) {
        CompletableFuture<Integer> unused =
                work.run(
                                "reaping",
                                settings.limits().boot(),
                                () ->
                                        ports.tasks()
                                                .reap(
                                                        sandboxes.owner(runId),
                                                        settings.fence(),
                                                        openLeases))
                        .whenComplete(
                                (count, failure) -> {
                                    if (failure != null) {
                                        LOG.warn("Orphans were not reaped", failure);
                                    } else if (count > 0) {
                                        LOG.info("Orphans were reaped count={}", count);
                                    }
                                });
    }

    @Override
    public Map<String, LongSupplier> gauges() {
        return Map.of(
                "parserFailures", renderer::failures,
                "sandboxesAttached", sandboxes::attached,
                "sandboxesRebuilt", sandboxes::rebuilt,
                "sandboxesTerminating", terminations::open,
                "terminationsFailed", terminations::failed,
                "sandboxesAbandoned", terminations::abandoned,
                "imagesQuarantined", sandboxes::quarantinedImages,
                "callsStuck", work::stuck);
    }

    @Override
    public void close() {
        boolean leave = attachable();
        List<LiveAttempt> held = List.copyOf(live.values());
        live.clear();
        held.forEach(leave ? LiveAttempt::leave : LiveAttempt::release);
        work.close();
        awaitEndings();
        endings.close();
        if (!work.awaitEnd(CLOSE_MILLIS)) {
            LOG.warn("Rollout effects still run after {} ms; they are fenced", CLOSE_MILLIS);
        }
        ports.sampler().close();
        ports.tasks().close();
    }

    private boolean attachable() {
        try {
            return ports.tasks().attachment() != SandboxCapabilities.Attach.NONE;
        } catch (SandboxException e) {
            LOG.debug("Sandboxes are not left to a successor", e);
            return false;
        }
    }

    private void awaitEndings() {
        try {
            terminations.settled().get(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException e) {
            LOG.warn("Sandboxes are still there count={}", terminations.open(), e);
        }
    }

    private void drop(String key) {
        LiveAttempt attempt = live.remove(key);
        if (attempt != null) {
            attempt.release();
        }
    }

    /** One try: the lease name tells tries of an admission apart. */
    private static String key(Effect effect) {
        return prefix(effect.itemId(), effect.admission().admissionId()) + effect.leaseName();
    }

    private static String prefix(String itemId, String admissionId) {
        return itemId + "|" + admissionId + "|";
    }
}
