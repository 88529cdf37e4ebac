package dev.millrace.pipeline.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.operators.topic.broker.EmbeddedBroker;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.rollout.RolloutMachine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A savepoint of a run with open attempts goes on in a job of another shape. */
@Timeout(600)
class RestoredElsewhereTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int STEPS = 6;
    @TempDir Path folder;

    /** Fewer subtasks than the journal has partitions, more of them, and one operator more. */
    @ParameterizedTest
    @CsvSource({"fewer, flink.parallelism=1", "more, flink.parallelism=7", "kl, train.klCoef=0.01"})
    void nothingIsLostAndNothingIsPlayedTwice(String name, String change) throws Exception {
        String steps = "train.steps=" + STEPS;
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("broker"))) {
            String savepoint;
            try (FakeRun run = new FakeRun(broker, folder, name, 60, steps)) {
                run.start(null);
                await().atMost(PATIENCE).until(() -> publications(run) > 2);
                savepoint = run.stopWithSavepoint();
                assertThat(openAttempts(run)).isPositive();
            }
            String ledger = folder.resolve("ledger").toUri().toString();
            try (FakeRun run = FakeRun.begun(broker, folder, name, ledger, steps, change)) {
                run.start(savepoint);
                assertThat(run.end()).isEqualTo("FINISHED");
                LoopTest.assertEverythingIsAccountedFor(run, STEPS);
            }
        }
    }

    private static long publications(FakeRun run) {
        return run.read(run.topics().policies(), PolicyRecord.class).stream()
                .filter(record -> record.kind() == PolicyRecord.Kind.PUBLICATION)
                .count();
    }

    private static long openAttempts(FakeRun run) {
        List<StepEvent> journal = run.read(run.topics().turns(), StepEvent.class);
        return count(journal, StepEvent.Kind.ADMITTED) - count(journal, StepEvent.Kind.CAPTURED);
    }

    private static long count(List<StepEvent> journal, StepEvent.Kind kind) {
        return journal.stream()
                .filter(event -> event.stage().equals(RolloutMachine.STAGE))
                .filter(event -> event.kind() == kind)
                .count();
    }
}
