package dev.millrace.pipeline.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.operators.topic.TopicNames;
import dev.millrace.operators.topic.broker.EmbeddedBroker;
import dev.millrace.pipeline.ledger.LedgerTable;
import dev.millrace.pipeline.ledger.RowReader;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.StepEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.avro.generic.GenericRecord;
import org.apache.flink.runtime.execution.ExecutionState;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A run whose task manager is lost between any two steps of its ending still ends as it should. */
class EndingTest {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final int STEPS = 3;
    private static EmbeddedBroker broker;
    @TempDir static Path brokerFolder;
    @TempDir Path folder;

    /** What has just happened. */
    enum Point {
        LAST_PUBLICATION,
        ATTEMPTS_CANCELLED,
        FINAL_EVALUATION_RUNS,
        DRAINED,
        LEARN_HAS_ANSWERED,
        LEDGER_HAS_ANSWERED,
        SOME_TOPICS_HAVE_MARKERS;

        private boolean reached(FakeRun run) {
            return switch (this) {
                case LAST_PUBLICATION -> policies(run).stream().anyMatch(PolicyRecord::last);
                case ATTEMPTS_CANCELLED ->
                        run.read(run.topics().turns(), StepEvent.class).stream()
                                .anyMatch(e -> e.kind() == StepEvent.Kind.CANCELLED);
                case FINAL_EVALUATION_RUNS ->
                        groups(run).stream()
                                .filter(g -> !g.drained() && g.lane() == Lane.EVAL)
                                .anyMatch(g -> g.policy().version().step() == STEPS);
                case DRAINED -> groups(run).stream().anyMatch(GroupRecord::drained);
                case LEARN_HAS_ANSWERED -> answered(run, "learn");
                case LEDGER_HAS_ANSWERED -> answered(run, "ledger");
                // Written once a checkpoint holds that all has been answered, not before.
                case SOME_TOPICS_HAVE_MARKERS -> someTopicHasItsMarker(run);
            };
        }
    }

    @BeforeAll
    static void startBroker() {
        broker = EmbeddedBroker.start(brokerFolder);
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsLostAndNothingDoneTwiceWhenTheTaskManagerIsLostBehind(Point point)
            throws Exception {
        String name = "end-" + point.name().toLowerCase(Locale.ROOT).replace('_', '-');
        try (FakeRun run = new FakeRun(broker, folder, name, 30, "train.steps=" + STEPS)) {
            run.start(null);
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> point.reached(run));
            run.killTaskManager();
            assertEndsWell(run);
        }
    }

    /**
     * With a task FINISHED while others run, Flink restores a region that fails for the second time
     * as finished, and its open attempts are gone without a word.
     */
    @Test
    void aRegionThatFailsTwiceUnderQuickCheckpointsComesBackWithAllItHad() throws Exception {
        try (FakeRun run = new FakeRun(broker, folder, "twice", 20, "train.steps=" + STEPS)) {
            run.pace(Duration.ofMillis(1500), Duration.ofMillis(300));
            run.start(null);
            for (int failure = 1; failure <= 2; failure++) {
                int failures = failure;
                int before = run.read(run.topics().turns(), StepEvent.class).size();
                await().atMost(PATIENCE)
                        .until(
                                () ->
                                        run.read(run.topics().turns(), StepEvent.class).size()
                                                > before + 10);
                assertThat(run.states())
                        .as("no task is finished while another runs")
                        .doesNotContain(ExecutionState.FINISHED);
                run.backends.world().failRollout().set(true);
                await().atMost(PATIENCE).until(() -> run.restarts("Play attempts") == failures);
            }
            assertEndsWell(run);
        }
    }

    private static void assertEndsWell(FakeRun run) throws Exception {
        assertThat(run.end()).isEqualTo("FINISHED");
        LoopTest.assertEverythingIsAccountedFor(run, STEPS);
        assertThat(run.read(run.topics().rejects(), Reject.class))
                .extracting(Reject::reason)
                .doesNotContain(Reject.ACCOUNTS_VIOLATED);
        Set<String> evaluated = new HashSet<>();
        groups(run).stream()
                .filter(g -> !g.drained() && g.lane() == Lane.EVAL)
                .filter(g -> g.policy().version().step() == STEPS)
                .forEach(g -> evaluated.add(g.groupId()));
        assertThat(evaluated).as("the last evaluation is whole").hasSize(2 * 4);
        assertTheLedgerHasOneRowOfEach(run);
    }

    private static void assertTheLedgerHasOneRowOfEach(FakeRun run) throws Exception {
        Set<String> closed = new HashSet<>();
        groups(run).stream().filter(g -> !g.drained()).forEach(g -> closed.add(g.groupId()));
        assertThat(run.ledger().rows(LedgerTable.GROUPS))
                .extracting(row -> row.get("group_id").toString())
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(closed);
        Set<String> published = new HashSet<>();
        // A trainer that comes back when the topics are ended speaks to nobody.
        run.readToTheMarker(run.topics().policies(), PolicyRecord.class)
                .forEach(p -> published.add(p.kind() + " " + p.version() + p.nonce()));
        assertThat(run.ledger().rows(LedgerTable.STEPS))
                .extracting(RowReader::step)
                .extracting(p -> p.kind() + " " + p.version() + p.nonce())
                .containsExactlyInAnyOrderElementsOf(published);
        List<GenericRecord> balances = run.ledger().rows(LedgerTable.ACCOUNTS);
        assertThat(balances)
                .extracting(row -> row.get("epoch") + "." + row.get("step"))
                .doesNotHaveDuplicates();
        assertThat(balances)
                .extracting(row -> (long) row.get("step"))
                .contains(0L, 1L, 2L, (long) STEPS);
        assertThat(balances)
                .allSatisfy(
                        row ->
                                assertThat((long) row.get("trained"))
                                        .isEqualTo(2 * (long) row.get("step")));
    }

    private static boolean someTopicHasItsMarker(FakeRun run) {
        TopicNames topics = run.topics();
        return Stream.of(topics.tasks(), topics.turns(), topics.groups()).anyMatch(run::hasMarker);
    }

    private static boolean answered(FakeRun run, String source) {
        return run.read(run.topics().progress(), ProgressRecord.class).stream()
                .anyMatch(
                        p -> p.kind() == ProgressRecord.Kind.DRAINED && p.source().equals(source));
    }

    private static List<PolicyRecord> policies(FakeRun run) {
        return run.read(run.topics().policies(), PolicyRecord.class);
    }

    private static List<GroupRecord> groups(FakeRun run) {
        return run.read(run.topics().groups(), GroupRecord.class);
    }
}
