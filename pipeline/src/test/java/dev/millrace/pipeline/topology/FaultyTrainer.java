package dev.millrace.pipeline.topology;

import dev.millrace.backends.port.AdamSpec;
import dev.millrace.backends.port.Datum;
import dev.millrace.backends.port.LossResult;
import dev.millrace.backends.port.LossSpec;
import dev.millrace.backends.port.OptimResult;
import dev.millrace.backends.port.PolicyTrainer;
import dev.millrace.backends.port.TrainerSession;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A trainer whose calls fail before they are carried out, or after, when their answer is lost.
 *
 * @param trainer what is called
 * @param faults which calls fail
 * @param failure what they fail with
 */
record FaultyTrainer(PolicyTrainer trainer, Faults faults, Supplier<RuntimeException> failure)
        implements PolicyTrainer {

    @Override
    public TrainerSession open(String name, String stateUri) {
        return new Session(trainer.open(name, stateUri), this);
    }

    @Override
    public void close() {
        trainer.close();
    }

    private <T> CompletableFuture<T> call(String name, Supplier<CompletableFuture<T>> call) {
        if (faults.hit("before " + name)) {
            return CompletableFuture.failedFuture(failure.get());
        }
        return call.get()
                .thenApply(
                        answer -> {
                            if (faults.hit("after " + name)) {
                                throw failure.get();
                            }
                            return answer;
                        });
    }

    private record Session(TrainerSession session, FaultyTrainer faulty) implements TrainerSession {
        @Override
        public CompletableFuture<LossResult> forwardBackward(
                String effectId, List<Datum> data, LossSpec loss) {
            return faulty.call("forward", () -> session.forwardBackward(effectId, data, loss));
        }

        @Override
        public CompletableFuture<OptimResult> optimStep(String effectId, AdamSpec adam) {
            return faulty.call("optim", () -> session.optimStep(effectId, adam));
        }

        @Override
        public CompletableFuture<String> saveState(String name) {
            return faulty.call("save", () -> session.saveState(name));
        }

        @Override
        public CompletableFuture<String> publish(String name) {
            return faulty.call("publish", () -> session.publish(name));
        }

        @Override
        public void close() {
            session.close();
        }
    }
}
