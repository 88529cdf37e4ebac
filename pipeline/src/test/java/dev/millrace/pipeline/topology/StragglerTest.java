package dev.millrace.pipeline.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.backends.fake.FakeFaults;
import dev.millrace.backends.fake.FakeProvider;
import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.SandboxCapabilities.Attach;
import dev.millrace.operators.topic.broker.EmbeddedBroker;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.StepEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Something takes for ever, and nothing that does not need it waits. */
@Timeout(600)
class StragglerTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String SLOW = "/g1/";
    @TempDir Path folder;

    /** Commands that begin so wait, in the sandboxes of one group. */
    private record Slow(String command, CountDownLatch over) implements FakeFaults {
        @Override
        public void exec(String lease, ExecRequest request) throws InterruptedException {
            if (lease.contains(SLOW) && request.command().startsWith(command)) {
                over.await();
            }
        }
    }

    private static boolean admittedAt(FakeRun run, long step) {
        return run.read(run.topics().turns(), StepEvent.class).stream()
                .filter(event -> event.admission() != null)
                .filter(event -> event.admission().lane() == Lane.TRAIN)
                .anyMatch(event -> event.admission().policy().version().step() >= step);
    }

    private static boolean published(FakeRun run, long step) {
        return run.read(run.topics().policies(), PolicyRecord.class).stream()
                .filter(record -> record.kind() == PolicyRecord.Kind.PUBLICATION)
                .anyMatch(record -> record.step() >= step);
    }

    private static List<GroupRecord> closedSlowly(FakeRun run) {
        return run.read(run.topics().groups(), GroupRecord.class).stream()
                .filter(group -> group.groupId().endsWith("/g1"))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"write", "verify"})
    void aGroupThatIsPlayedOrGradedForEverHoldsUpNoStepAndNoPublication(String command)
            throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        FakeProvider provider = new FakeProvider(Attach.NONE, new Slow(command, over));
        String name = "slow-" + command;
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("broker"));
                FakeRun run =
                        new FakeRun(
                                broker,
                                folder,
                                name,
                                FakeBackends.on(name, 1, provider),
                                "train.steps=40",
                                "rollout.slots=16",
                                "rollout.execTimeout=5m",
                                "rollout.attemptTimeout=10m",
                                "rollout.groupDeadline=1h")) {
            run.start(null);
            await().atMost(PATIENCE).until(() -> published(run, 3) && admittedAt(run, 3));
            assertThat(closedSlowly(run)).isEmpty();
            over.countDown();
            assertThat(run.end()).isEqualTo("FINISHED");
            assertThat(closedSlowly(run)).isNotEmpty();
        }
    }

    @Test
    void attemptsArePlayedWhileTheTrainerSavesItsState() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("broker"));
                FakeRun run =
                        new FakeRun(
                                broker,
                                folder,
                                "slow-save",
                                5,
                                "train.steps=3",
                                "train.saveEverySteps=1",
                                "train.maxLag=60")) {
            CompletableFuture<Void> saved = new CompletableFuture<>();
            run.backends.world().saving().set(saved);
            run.start(null);
            await().atMost(PATIENCE).until(() -> saving(run));
            int before = run.read(run.topics().turns(), StepEvent.class).size();
            await().atMost(PATIENCE)
                    .until(
                            () ->
                                    run.read(run.topics().turns(), StepEvent.class).size()
                                            > before + 40);
            assertThat(published(run, 1)).as("it is still saving").isFalse();
            saved.complete(null);
            assertThat(run.end()).isEqualTo("FINISHED");
        }
    }

    /** Whether something waits for a save. */
    private static boolean saving(FakeRun run) {
        return run.backends.world().saving().get().getNumberOfDependents() > 0;
    }
}
