package dev.millrace.bench.sim.client;

import dev.millrace.backends.port.EffectRunner;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.step.Effect;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/** Fails the task of a runner once a service has asked for it. */
final class TaskFault {
    private final AtomicBoolean armed = new AtomicBoolean();

    void arm() {
        armed.set(true);
    }

    /** A runner that throws into its task, once, when this is armed. */
    EffectRunner on(EffectRunner runner) {
        return new EffectRunner() {
            @Override
            public CompletableFuture<StepEvent> start(Effect effect) {
                if (armed.getAndSet(false)) {
                    throw new InjectedTaskException();
                }
                return runner.start(effect);
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
            public Map<String, LongSupplier> gauges() {
                return runner.gauges();
            }

            @Override
            public void close() {
                runner.close();
            }
        };
    }
}
