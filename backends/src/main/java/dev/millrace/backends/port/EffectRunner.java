package dev.millrace.backends.port;

import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.step.Effect;
import java.util.concurrent.CompletableFuture;

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

    /** Cancels all effects and waits, bounded, until what they hold is freed. */
    @Override
    void close();
}
