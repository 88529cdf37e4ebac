package dev.millrace.backends.rollout;

import dev.millrace.backends.port.EffectRunner;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.rollout.RolloutMachine;
import dev.millrace.udfs.step.Effect;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the effects of the rollout stage. A slot is held from boot to capture; waiting for
 * one is outside every deadline. A sandbox that is gone is rebuilt by running the past commands
 * again.
 */
public final class RolloutRunner implements EffectRunner {
    private static final Logger LOG = LoggerFactory.getLogger(RolloutRunner.class);
    private static final long CLOSE_SECONDS = 5;

    private final RolloutPorts ports;
    private final AttemptCalls calls;
    private final Permits slots;
    private final ExecutorService workers;
    private final Map<String, LiveAttempt> live = new ConcurrentHashMap<>();

    /**
     * @param ports closed with the runner
     * @param slotCount attempts that may hold a sandbox at once
     */
    public RolloutRunner(RolloutPorts ports, int slotCount) {
        this.ports = ports;
        this.calls = new AttemptCalls(ports);
        this.slots = new Permits(slotCount);
        this.workers =
                Executors.newFixedThreadPool(
                        slotCount,
                        task -> {
                            Thread thread = new Thread(task, "rollout-effect");
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    @Override
    public CompletableFuture<StepEvent> start(Effect effect) {
        LiveAttempt attempt = live.computeIfAbsent(key(effect), k -> new LiveAttempt(slots));
        if (effect.kind() == Effect.Kind.SAMPLE) {
            return calls.sample(effect).thenCompose(event -> endOfTry(effect, event));
        }
        if (effect.kind() == Effect.Kind.OBSERVE) {
            return CompletableFuture.supplyAsync(() -> calls.observe(effect), workers);
        }
        return attempt.slot().thenApplyAsync(held -> guarded(effect, attempt), workers);
    }

    /** A try that ends here gives its slot and sandbox back: the next try needs them. */
    private CompletableFuture<StepEvent> endOfTry(Effect effect, StepEvent event) {
        if (event.kind() != StepEvent.Kind.FAILED) {
            return CompletableFuture.completedFuture(event);
        }
        return CompletableFuture.supplyAsync(
                () -> {
                    drop(key(effect));
                    return event;
                },
                workers);
    }

    @Override
    public void release(String itemId, String admissionId) {
        live.keySet().stream()
                .filter(k -> k.startsWith(prefix(itemId, admissionId)))
                .toList()
                .forEach(this::drop);
    }

    @Override
    public void close() {
        workers.shutdown();
        live.keySet().forEach(this::drop);
        workers.shutdownNow();
        try {
            if (!workers.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn(
                        "Rollout effects still run after {} s; their sandboxes are closed",
                        CLOSE_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        ports.sampler().close();
        ports.tasks().close();
    }

    private StepEvent guarded(Effect effect, LiveAttempt attempt) {
        if (attempt.released()) {
            throw new CancellationException("released");
        }
        long start = System.nanoTime();
        StepEvent event;
        try {
            event =
                    switch (effect.kind()) {
                        case BOOT -> calls.boot(effect, attempt);
                        case EXECUTE -> calls.execute(effect, attempt);
                        case CAPTURE -> calls.capture(effect, attempt);
                        default ->
                                throw new IllegalArgumentException(
                                        "not an effect of rollout: " + effect.kind());
                    };
        } catch (RuntimeException e) {
            LOG.warn(
                    "Effect failed unexpectedly effect={} item={}",
                    effect.effectId(),
                    effect.itemId(),
                    e);
            event =
                    Events.failed(
                            RolloutMachine.STAGE,
                            effect,
                            start,
                            new Failure(
                                    FailureClass.INFRA,
                                    "unexpected",
                                    e.getClass().getSimpleName()));
        }
        if (attempt.released()) {
            throw new CancellationException("released");
        }
        if (event.kind() == StepEvent.Kind.FAILED || event.kind() == StepEvent.Kind.CAPTURED) {
            drop(key(effect));
        }
        return event;
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
