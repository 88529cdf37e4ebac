package dev.millrace.backends.port;

import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.step.Effect;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * Carries out the effects of one durable step stage. Never blocks the caller. Thread-safe.
 *
 * <p>Waiting for a permit is outside every deadline. Deadlines run here, by the clock, and end an
 * effect with an event.
 */
public interface EffectRunner extends AutoCloseable {

    /**
     * Starts an effect. The future completes with the event that reports it, a failure being an
     * event too; it completes exceptionally only when the effect was cancelled or the runner
     * closed, and then nothing is to be reported.
     */
    CompletableFuture<StepEvent> start(Effect effect);

    /**
     * Stops what runs for an admission of an item and frees what it holds: permits, its sandbox.
     */
    void release(String itemId, String admissionId);

    /**
     * Ends what earlier openings of this stage have left outside, but for what the open items hold.
     * To be called once, when the effects of all open items have been started.
     *
     * @param runId the run
     * @param openLeases lease names of its open items
     */
    default void reap(String runId, Set<String> openLeases) {}

    /** Numbers that show how the stage fares, by name; read at any time from any thread. */
    default Map<String, LongSupplier> gauges() {
        return Map.of();
    }

    /** Cancels all effects and waits, bounded, until what they hold is freed. */
    @Override
    void close();
}
