package dev.millrace.pipeline.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.backends.fake.FakeState;
import dev.millrace.operators.topic.broker.EmbeddedBroker;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole job, with everything outside of it faked. */
class LoopTest {
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
    void playsTrainsEvaluatesAndEnds() throws Exception {
        try (FakeRun run =
                new FakeRun(broker, folder, "whole", 2, "train.steps=4", "train.klCoef=0.01")) {
            run.start(null);
            assertThat(run.end()).isEqualTo("FINISHED");
            assertEverythingIsAccountedFor(run, 4);
            assertThat(run.read(run.topics().rejects(), Reject.class)).isEmpty();
            List<GroupRecord> evaluated =
                    groups(run).stream().filter(g -> g.lane() == Lane.EVAL).toList();
            assertThat(evaluated).hasSize(2 * 2 * 4);
            assertThat(evaluated).extracting(g -> g.policy().version().step()).containsOnly(0L, 4L);
        }
    }

    @Test
    void oneStepWithAGreatLagEnds() throws Exception {
        try (FakeRun run =
                new FakeRun(broker, folder, "short", 1, "train.steps=1", "train.maxLag=8")) {
            run.start(null);
            assertThat(run.end()).isEqualTo("FINISHED");
            assertThat(newest(run).step()).isEqualTo(1);
        }
    }

    @Test
    void aFailureRestartsItsOwnRegionOnly() throws Exception {
        try (FakeRun run = new FakeRun(broker, folder, "regions", 20, "train.steps=12")) {
            run.start(null);
            awaitStep(run, 2);
            run.backends.world().failRollout().set(true);
            await().atMost(PATIENCE).until(() -> run.restarts("Play attempts") == 1);
            assertThat(run.restarts("Train")).isZero();
            assertThat(run.restarts("Decode for the ledger")).isZero();
            awaitStep(run, 5);
            run.backends.world().failTraining().set(true);
            await().atMost(PATIENCE).until(() -> run.restarts("Train") == 1);
            assertThat(run.restarts("Play attempts")).isEqualTo(1);
            assertThat(run.restarts("Decode for the ledger")).isZero();
            assertThat(run.end()).isEqualTo("FINISHED");
            assertEverythingIsAccountedFor(run, 12);
        }
    }

    @Test
    void goesOnFromASavepointWhereItWas() throws Exception {
        try (FakeRun run = new FakeRun(broker, folder, "stopped", 20, "train.steps=8")) {
            run.start(null);
            awaitStep(run, 2);
            String savepoint = run.stopWithSavepoint();
            long stepsBefore = newest(run).step();
            int admittedBefore = admissions(run).size();
            run.start(savepoint);
            assertThat(run.end()).isEqualTo("FINISHED");
            assertEverythingIsAccountedFor(run, 8);
            assertThat(stepsBefore).isBetween(2L, 7L);
            assertThat(admissions(run).size()).isGreaterThan(admittedBefore);
            List<Long> steps =
                    publications(run).stream()
                            .filter(p -> p.epoch() == 2)
                            .map(PolicyRecord::step)
                            .toList();
            assertThat(steps.get(0)).isBetween(stepsBefore - 1, stepsBefore);
            assertThat(repeatedEffects(run)).as("no effect is journaled twice").isEmpty();
        }
    }

    static void assertEverythingIsAccountedFor(FakeRun run, int steps) {
        PolicyRecord last = newest(run);
        assertThat(last.step()).isEqualTo(steps);
        assertThat(last.last()).isTrue();
        FakeState trained = run.backends.world().trainer().at(last.uri());
        assertThat(trained.trained()).as("nothing is trained twice").doesNotHaveDuplicates();
        assertThat(trained.trained()).hasSize(steps * 2 * 4);
        assertNothingIsLost(run);
    }

    /** What was admitted is closed, once, and its fate is known, in all runs of the job. */
    static void assertNothingIsLost(FakeRun run) {
        Map<String, GroupRecord> first = new HashMap<>();
        groups(run).stream()
                .filter(g -> !g.drained() && g.lane() == Lane.TRAIN)
                .forEach(g -> first.putIfAbsent(g.groupId(), g));
        assertThat(first.keySet()).as("what was admitted is closed").isEqualTo(trainGroups(run));
        assertThat(admissions(run).values())
                .as("a group is admitted once")
                .allSatisfy(ids -> assertThat(ids).hasSize(1));
        Set<String> fates = new HashSet<>();
        run.read(run.topics().progress(), ProgressRecord.class).stream()
                .filter(p -> p.kind() != ProgressRecord.Kind.DRAINED)
                .forEach(p -> fates.add(p.groupId()));
        first.values().stream()
                .filter(g -> g.verdict() == Verdict.MIXED)
                .forEach(g -> assertThat(fates).as("fate of a mixed group").contains(g.groupId()));
        assertThat(run.backends.world().tasks().alive()).as("no sandbox is left").isEmpty();
    }

    private static void awaitStep(FakeRun run, long step) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(300))
                .until(() -> publications(run).stream().anyMatch(p -> p.step() >= step));
    }

    private static PolicyRecord newest(FakeRun run) {
        return publications(run).stream()
                .max((a, b) -> a.version().compareTo(b.version()))
                .orElseThrow();
    }

    private static List<PolicyRecord> publications(FakeRun run) {
        return run.read(run.topics().policies(), PolicyRecord.class).stream()
                .filter(p -> p.kind() == PolicyRecord.Kind.PUBLICATION)
                .toList();
    }

    private static List<GroupRecord> groups(FakeRun run) {
        return run.read(run.topics().groups(), GroupRecord.class).stream()
                .filter(g -> !g.drained())
                .toList();
    }

    private static Set<String> trainGroups(FakeRun run) {
        Set<String> ids = new HashSet<>();
        admissions(run).keySet().stream().filter(id -> id.contains("/g")).forEach(ids::add);
        return ids;
    }

    /** Admission ids by group. */
    private static Map<String, Set<String>> admissions(FakeRun run) {
        Map<String, Set<String>> ids = new HashMap<>();
        run.read(run.topics().turns(), StepEvent.class).stream()
                .filter(e -> e.kind() == StepEvent.Kind.ADMITTED && e.admission() != null)
                .forEach(
                        e ->
                                ids.computeIfAbsent(e.admission().groupId(), g -> new HashSet<>())
                                        .add(e.admissionId()));
        return ids;
    }

    private static Set<String> repeatedEffects(FakeRun run) {
        Set<String> seen = new HashSet<>();
        Set<String> repeated = new HashSet<>();
        for (StepEvent event : run.read(run.topics().turns(), StepEvent.class)) {
            String id = event.stage() + " " + event.itemId() + " " + event.effectId();
            if (!seen.add(id)) {
                repeated.add(id);
            }
        }
        return repeated;
    }
}
