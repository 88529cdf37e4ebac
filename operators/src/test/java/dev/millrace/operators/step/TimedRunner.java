package dev.millrace.operators.step;

import dev.millrace.backends.port.EffectRunner;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.step.Effect;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Effects that take a while; counts how often each was started, in all runners of this JVM. */
final class TimedRunner implements EffectRunner {

    /** Starts of each effect, by item and effect id. */
    static final Map<String, AtomicInteger> STARTS = new ConcurrentHashMap<>();

    /** Nanoseconds from the end of an effect to the start of the item's next one. */
    static final Queue<Long> GAPS = new ConcurrentLinkedQueue<>();

    private static final Map<String, Long> ENDED = new ConcurrentHashMap<>();

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final long millis;

    TimedRunner(long millis) {
        this.millis = millis;
    }

    static int starts() {
        return STARTS.values().stream().mapToInt(AtomicInteger::get).sum();
    }

    @Override
    public CompletableFuture<StepEvent> start(Effect effect) {
        String item = effect.itemId();
        STARTS.computeIfAbsent(item + "#" + effect.effectId(), id -> new AtomicInteger())
                .incrementAndGet();
        Long ended = ENDED.remove(item);
        if (ended != null) {
            GAPS.add(System.nanoTime() - ended);
        }
        CompletableFuture<StepEvent> future = new CompletableFuture<>();
        Future<?> unused =
                timer.schedule(
                        () -> {
                            ENDED.put(item, System.nanoTime());
                            future.complete(
                                    CountingMachine.event(
                                            effect.admission(),
                                            effect.effectId(),
                                            StepEvent.Kind.SAMPLED));
                        },
                        millis,
                        TimeUnit.MILLISECONDS);
        return future;
    }

    @Override
    public void release(String itemId, String admissionId) {
        ENDED.remove(itemId);
    }

    @Override
    public void close() {
        timer.shutdownNow();
        ENDED.clear();
    }
}
