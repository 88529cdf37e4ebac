package dev.millrace.operators.step;

import dev.millrace.backends.port.EffectRunner;
import dev.millrace.operators.watch.StagePulse;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.step.Effect;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The effects that are under way in this opening of the stage, by item. Used by the task thread;
 * only completions come from elsewhere, and they go straight to the journal.
 */
final class RunningEffects implements AutoCloseable {
    private final EffectRunner runner;
    private final StepJournal journal;
    private final StepMetrics metrics;
    private final StagePulse pulse;
    private final Consumer<Runnable> mailbox;
    private final Map<String, Map<String, Flight>> underWay = new HashMap<>();
    private final Set<String> cancelling = new HashSet<>();

    /** One effect; when its event was appended, by the nano clock, or 0. */
    private static final class Flight {
        private final long startedAt = System.nanoTime();
        private volatile long appendedAt;
    }

    RunningEffects(
            EffectRunner runner,
            StepJournal journal,
            StepMetrics metrics,
            StagePulse pulse,
            Consumer<Runnable> mailbox) {
        this.runner = runner;
        this.journal = journal;
        this.metrics = metrics;
        this.pulse = pulse;
        this.mailbox = mailbox;
    }

    /** Starts those that are due and not under way. */
    void start(String itemId, List<Effect> due) {
        // Only a cancellation that was read back leads here with the item still cancelling.
        cancelling.remove(itemId);
        Map<String, Flight> ofItem = underWay.computeIfAbsent(itemId, id -> new HashMap<>());
        for (Effect effect : due) {
            if (!ofItem.containsKey(effect.effectId())) {
                Flight flight = new Flight();
                ofItem.put(effect.effectId(), flight);
                metrics.effects(1);
                pulse.effectStarted(name(itemId, effect.effectId()));
                // What the stage waits for is the event read back, not this future.
                CompletableFuture<StepEvent> unused =
                        runner.start(effect)
                                .whenComplete(
                                        (event, failure) -> end(effect, flight, event, failure));
            }
        }
    }

    /** An event of an effect was read back, so that the effect is no longer under way. */
    void landed(String itemId, String effectId) {
        Map<String, Flight> ofItem = underWay.get(itemId);
        Flight flight = ofItem == null ? null : ofItem.remove(effectId);
        if (flight != null) {
            metrics.effects(-1);
            pulse.effectEnded(name(itemId, effectId));
            if (flight.appendedAt != 0) {
                metrics.readBack(System.nanoTime() - flight.appendedAt);
                metrics.effectTook(flight.appendedAt - flight.startedAt);
            }
        }
    }

    /** Stops what runs for an item and appends the event that says so, once. */
    void cancel(StepEvent cancellation) {
        if (cancelling.add(cancellation.itemId())) {
            free(cancellation.itemId(), cancellation.admissionId());
            journal.append(cancellation);
        }
    }

    /** An item is over: stops what runs for it. */
    void release(String itemId, String admissionId) {
        cancelling.remove(itemId);
        free(itemId, admissionId);
    }

    /** Ends what earlier openings left outside. */
    void reap(String runId, Set<String> openLeases) {
        runner.reap(runId, openLeases);
    }

    Map<String, LongSupplier> gauges() {
        return runner.gauges();
    }

    @Override
    public void close() {
        underWay.clear();
        runner.close();
    }

    private void free(String itemId, String admissionId) {
        Map<String, Flight> gone = underWay.remove(itemId);
        if (gone != null) {
            metrics.effects(-gone.size());
            gone.keySet().forEach(effectId -> pulse.effectEnded(name(itemId, effectId)));
        }
        runner.release(itemId, admissionId);
    }

    private void end(Effect effect, Flight flight, StepEvent event, Throwable failure) {
        if (failure == null && reports(event, effect)) {
            flight.appendedAt = System.nanoTime();
            journal.append(event);
            return;
        }
        mailbox.accept(
                () -> {
                    // One that was released is no longer here, and may fail as it likes.
                    Map<String, Flight> ofItem = underWay.getOrDefault(effect.itemId(), Map.of());
                    if (ofItem.get(effect.effectId()) == flight) {
                        throw new IllegalStateException(
                                String.format(
                                        "Effect %s of %s ended without an event of its own",
                                        effect.effectId(), effect.itemId()),
                                failure);
                    }
                });
    }

    private static String name(String itemId, String effectId) {
        return itemId + " " + effectId;
    }

    private static boolean reports(StepEvent event, Effect effect) {
        return event != null
                && event.route() != null
                && effect.itemId().equals(event.itemId())
                && effect.effectId().equals(event.effectId());
    }
}
