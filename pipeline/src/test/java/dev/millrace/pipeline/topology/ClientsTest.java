package dev.millrace.pipeline.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.backends.fake.FakeState;
import dev.millrace.operators.topic.broker.EmbeddedBroker;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.Reject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several runs in one job, with everything outside of it faked. */
class ClientsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static EmbeddedBroker broker;
    @TempDir static Path brokerFolder;
    @TempDir Path folder;

    @BeforeAll
    static void startBroker() {
        broker = EmbeddedBroker.start(brokerFolder);
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @Test
    void oneOfEightFailsAndSevenFinish() throws Exception {
        try (FakeRun job =
                new FakeRun(
                        broker,
                        folder,
                        "eight",
                        2,
                        "run.clients=8",
                        "rollout.slots=16",
                        "train.steps=3")) {
            job.start(null);
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(300))
                    .until(() -> publications(job).stream().anyMatch(p -> p.step() >= 1));
            job.backends.world().failTraining().set(true);
            assertThat(job.end()).isEqualTo("FINISHED");
            assertThat(job.restarts("Train")).as("nobody else noticed").isZero();

            List<String> failed =
                    job.read(job.topics().policies(), PolicyRecord.class).stream()
                            .filter(p -> p.kind() == PolicyRecord.Kind.FAILED)
                            .map(PolicyRecord::runId)
                            .toList();
            assertThat(failed).hasSize(1);
            assertThat(marks(job))
                    .as("each run ends, the failed one with its cause")
                    .containsExactlyInAnyOrderElementsOf(expectedMarks(job, failed.get(0)));
            List<String> others = new ArrayList<>(job.runIds());
            others.removeAll(failed);
            others.forEach(run -> assertFinished(job, run, 3));
            assertThat(job.read(job.topics().rejects(), Reject.class))
                    .extracting(Reject::reason)
                    .containsExactly("trainer_failed");
            assertThat(job.backends.world().tasks().alive()).as("no sandbox is left").isEmpty();
        }
    }

    @Test
    void allRunsGoOnFromASavepoint() throws Exception {
        try (FakeRun job =
                new FakeRun(
                        broker,
                        folder,
                        "saved",
                        20,
                        "run.clients=3",
                        "rollout.slots=12",
                        "train.steps=6")) {
            job.start(null);
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(300))
                    .until(() -> publications(job).stream().anyMatch(p -> p.step() >= 2));
            job.start(job.stopWithSavepoint());
            assertThat(job.end()).isEqualTo("FINISHED");
            job.runIds().forEach(run -> assertFinished(job, run, 6));
            assertThat(job.read(job.topics().rejects(), Reject.class)).isEmpty();
        }
    }

    @Test
    void nothingIsLostAndNothingTrainedTwiceWhenTheTaskManagerIsLostTwice() throws Exception {
        try (FakeRun job =
                new FakeRun(
                        broker,
                        folder,
                        "killed",
                        20,
                        "run.clients=3",
                        "rollout.slots=12",
                        "train.steps=6")) {
            job.start(null);
            for (long step : new long[] {1, 4}) {
                await().atMost(PATIENCE)
                        .pollInterval(Duration.ofMillis(300))
                        .until(() -> publications(job).stream().anyMatch(p -> p.step() >= step));
                job.killTaskManager();
            }
            assertThat(job.end()).isEqualTo("FINISHED");
            job.runIds().forEach(run -> assertFinished(job, run, 6));
            LoopTest.assertNothingIsLost(job);
            assertThat(job.read(job.topics().rejects(), Reject.class))
                    .extracting(Reject::reason)
                    .doesNotContain(Reject.ACCOUNTS_VIOLATED, "trainer_failed");
        }
    }

    private static void assertFinished(FakeRun job, String run, int steps) {
        PolicyRecord last =
                publications(job).stream()
                        .filter(p -> p.runId().equals(run))
                        .max((a, b) -> a.version().compareTo(b.version()))
                        .orElseThrow();
        assertThat(last.step()).as(run).isEqualTo(steps);
        FakeState trained = job.backends.world().trainer().at(last.uri());
        assertThat(trained.trained()).doesNotHaveDuplicates().hasSize(steps * 2 * 4);
        Set<Long> evaluated = new HashSet<>();
        job.read(job.topics().groups(), GroupRecord.class).stream()
                .filter(g -> g.runId().equals(run) && g.lane() == Lane.EVAL && !g.drained())
                .forEach(g -> evaluated.add(g.policy().version().step()));
        assertThat(evaluated).as(run).contains(0L, (long) steps);
    }

    private static List<String> expectedMarks(FakeRun job, String failed) {
        return job.runIds().stream()
                .map(run -> run + " " + (run.equals(failed) ? "trainer_failed" : ""))
                .toList();
    }

    private static List<String> marks(FakeRun job) {
        return job.read(job.topics().groups(), GroupRecord.class).stream()
                .filter(GroupRecord::drained)
                .map(mark -> mark.runId() + " " + mark.cause())
                .distinct()
                .toList();
    }

    private static List<PolicyRecord> publications(FakeRun job) {
        return job.read(job.topics().policies(), PolicyRecord.class).stream()
                .filter(p -> p.kind() == PolicyRecord.Kind.PUBLICATION)
                .toList();
    }
}
