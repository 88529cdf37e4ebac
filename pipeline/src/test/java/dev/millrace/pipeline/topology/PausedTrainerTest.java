package dev.millrace.pipeline.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.operators.topic.broker.EmbeddedBroker;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A trainer that stands still: everything before it comes to rest, and goes on afterwards. */
@Timeout(600)
class PausedTrainerTest {
    private static final Duration QUIET = Duration.ofSeconds(10);
    @TempDir Path folder;

    @Test
    void nothingGrowsWhileTheTrainerIsPaused() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("broker"));
                FakeRun run = new FakeRun(broker, folder, "paused", 5, "train.steps=4")) {
            CompletableFuture<Void> gate = new CompletableFuture<>();
            run.backends.world().training().set(gate);
            run.start(null);
            int[] before = {-1};
            await().atMost(Duration.ofMinutes(5))
                    .pollInterval(QUIET)
                    .until(
                            () -> {
                                int now = journal(run);
                                boolean still = before[0] > 0 && now == before[0];
                                before[0] = now;
                                return still;
                            });
            assertThat(mixed(run))
                    .as("(maxLag + 1) * groupsPerBatch groups wait for the trainer")
                    .hasSize(4);
            assertThat(run.backends.world().tasks().alive()).isEmpty();
            assertThat(journal(run)).as("nothing was written meanwhile").isEqualTo(before[0]);
            gate.complete(null);
            assertThat(run.end()).isEqualTo("FINISHED");
        }
    }

    private static int journal(FakeRun run) {
        return run.read(run.topics().turns(), StepEvent.class).size();
    }

    private static Set<String> mixed(FakeRun run) {
        return run.read(run.topics().groups(), GroupRecord.class).stream()
                .filter(g -> !g.drained() && g.lane() == Lane.TRAIN)
                .filter(g -> g.verdict() == Verdict.MIXED)
                .map(GroupRecord::groupId)
                .collect(Collectors.toSet());
    }
}
