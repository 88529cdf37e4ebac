package dev.millrace.operators.train;

import dev.millrace.operators.watch.StagePulse;
import dev.millrace.operators.watch.StageWatch;
import dev.millrace.operators.watch.WatchSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** What the trainer shows of its progress: minibatches that were given to it and not answered. */
final class TrainerPulse implements AutoCloseable {
    private final StagePulse pulse;
    private final StageWatch watch;
    private final AtomicInteger owed = new AtomicInteger();
    private final List<String> labels = new ArrayList<>();

    /** To be opened by the task thread. */
    TrainerPulse(WatchSettings settings, String runId) {
        this(runId, settings::open);
    }

    TrainerPulse(String runId, Function<StagePulse, StageWatch> watching) {
        pulse = new StagePulse(runId, "train", 0, () -> owed.get() > 0);
        watch = watching.apply(pulse);
    }

    void submitted(SubmittedMinibatch minibatch) {
        owed.incrementAndGet();
        labels.add(minibatch.label());
        pulse.effectStarted(minibatch.label());
    }

    void answered(SubmittedMinibatch minibatch) {
        owed.decrementAndGet();
        labels.remove(minibatch.label());
        pulse.effectEnded(minibatch.label());
        pulse.moved();
    }

    /** The session is gone, and with it all that it owed. */
    void reset() {
        owed.set(0);
        labels.forEach(pulse::effectEnded);
        labels.clear();
    }

    @Override
    public void close() {
        watch.close();
    }
}
