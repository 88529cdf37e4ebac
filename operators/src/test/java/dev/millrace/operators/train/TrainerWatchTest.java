package dev.millrace.operators.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.operators.watch.NoProgress;
import dev.millrace.operators.watch.StageWatch;
import dev.millrace.udfs.minibatch.LearnInput;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TrainerWatchTest {
    private final List<NoProgress> reports = new CopyOnWriteArrayList<>();

    private static SubmittedMinibatch unanswered(int index) {
        return new SubmittedMinibatch(
                LearnInput.of(TrainerHarness.minibatch(1, 4, index, List.of()), 0),
                new CompletableFuture<>(),
                5,
                null,
                null);
    }

    @Test
    void aMinibatchThatIsNeverAnsweredIsNamed() {
        try (TrainerPulse pulse =
                new TrainerPulse("run", task -> new StageWatch(task, 100, reports::add))) {
            SubmittedMinibatch first = unanswered(0);
            pulse.submitted(first);
            pulse.submitted(unanswered(1));
            pulse.answered(first);
            await().until(() -> !reports.isEmpty());
        }
        assertThat(reports.get(0).stage()).isEqualTo("train");
        assertThat(reports.get(0).oldestEffect()).isEqualTo(unanswered(1).label());
    }

    @Test
    void aTrainerThatOwesNothingIsNotReported() {
        try (TrainerPulse pulse =
                new TrainerPulse("run", task -> new StageWatch(task, 50, reports::add))) {
            pulse.submitted(unanswered(0));
            pulse.reset();
            long until = System.nanoTime() + 300_000_000L;
            await().until(() -> System.nanoTime() > until);
        }
        assertThat(reports).isEmpty();
    }
}
