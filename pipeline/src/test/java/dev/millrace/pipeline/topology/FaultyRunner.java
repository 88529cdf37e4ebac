package dev.millrace.pipeline.topology;

import dev.millrace.backends.port.EffectRunner;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.step.Effect;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * A runner that throws before an effect begins, or loses its event after it is done: either fails
 * the task.
 *
 * @param runner what carries effects out
 * @param faults which effects fail
 */
record FaultyRunner(EffectRunner runner, Faults faults) implements EffectRunner {

    @Override
    public CompletableFuture<StepEvent> start(Effect effect) {
        if (faults.hit("before effect")) {
            throw new IllegalStateException("injected before " + effect.effectId());
        }
        return runner.start(effect)
                .thenApply(
                        event -> {
                            if (faults.hit("after effect")) {
                                throw new IllegalStateException("injected after the effect");
                            }
                            return event;
                        });
    }

    @Override
    public void release(String itemId, String admissionId) {
        runner.release(itemId, admissionId);
    }

    @Override
    public void reap(String runId, Set<String> openLeases) {
        runner.reap(runId, openLeases);
    }

    @Override
    public void close() {
        runner.close();
    }
}
