package dev.millrace.pipeline.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.operators.topic.broker.EmbeddedBroker;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.Reject;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In lockstep every published file is the same, bit for bit, whatever fails on the way. */
class LockstepTest {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int STEPS = 6;
    private static EmbeddedBroker broker;
    private static SortedMap<Long, String> reference;
    @TempDir static Path shared;
    @TempDir Path folder;

    @BeforeAll
    static void undisturbed() throws Exception {
        broker = EmbeddedBroker.start(shared.resolve("broker"));
        try (FakeRun run = run("undisturbed", shared.resolve("undisturbed"), false)) {
            run.start(null);
            assertThat(run.end()).isEqualTo("FINISHED");
            reference = digests(run);
            assertThat(reference).containsOnlyKeys(0L, 1L, 2L, 3L, 4L, 5L, 6L);
            assertThat(reference.values()).as("each step changes weights").doesNotHaveDuplicates();
        }
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @AfterEach
    void openGate() {
        GatedFileSystem.BEFORE_COMPLETION.set(() -> {});
    }

    private static FakeRun run(String name, Path folder, boolean losesSessions, String... overrides)
            throws Exception {
        List<String> all =
                new ArrayList<>(
                        List.of(
                                "run.determinism=lockstep",
                                "train.steps=" + STEPS,
                                "train.maxLag=0",
                                "train.passes=2",
                                "train.learningRate=1e-2",
                                "rollout.maxTurns=3",
                                "rollout.maxTokensPerTurn=4",
                                "eval.attempts=1"));
        all.addAll(List.of(overrides));
        TinyBackends backends = backends(name, folder, losesSessions);
        return new FakeRun(broker, folder, name, backends, all.toArray(String[]::new));
    }

    private static TinyBackends backends(String name, Path folder, boolean losesSessions) {
        return new TinyBackends(name, folder.resolve("policy").toString(), losesSessions);
    }

    private Faults faults(String name) {
        return backends(name, folder, false).faults();
    }

    @Test
    void whenTheTrainersTaskIsKilledBeforeAndAfterEachOfItsCalls() throws Exception {
        Faults faults =
                faults("trainer")
                        .at("before forward", 2)
                        .at("after forward", 7)
                        .at("before optim", 11)
                        .at("after optim", 17)
                        .at("before save", 1)
                        .at("after save", 2)
                        .at("before publish", 4)
                        .at("after publish", 7);
        try (FakeRun run = run("trainer", folder, false)) {
            run.start(null);
            assertThat(run.end()).isEqualTo("FINISHED");
            assertThat(faults.outstanding()).isEmpty();
            assertThat(faults.fired()).isEqualTo(8);
            // Two calls that are under way together may fail in the same life of the task.
            assertThat(run.restarts("Train")).isBetween(5, 8);
            assertThat(run.restarts("Play attempts")).isZero();
            assertSameWeights(run);
        }
    }

    @Test
    void whenAttemptsAreKilledBeforeAndAfterTheirEffectsWithEvaluationsBetween() throws Exception {
        Faults faults = faults("rollout").at("before effect", 9, 60, 61).at("after effect", 33, 90);
        try (FakeRun run = run("rollout", folder, false, "eval.everySteps=2")) {
            run.start(null);
            assertThat(run.end()).isEqualTo("FINISHED");
            assertThat(faults.outstanding()).isEmpty();
            assertThat(run.restarts("Play attempts")).isPositive();
            assertThat(run.restarts("Train")).isZero();
            assertSameWeights(run);
        }
    }

    @Test
    void whenTasksAreKilledBetweenACheckpointsBarrierAndItsCompletion() throws Exception {
        Faults faults = faults("gated");
        try (FakeRun run = run("gated", folder, false)) {
            AtomicInteger checkpoints = new AtomicInteger();
            GatedFileSystem.BEFORE_COMPLETION.set(
                    () -> atBarrier(faults, checkpoints.incrementAndGet()));
            run.checkpointsBy(GatedFileSystem.SCHEME);
            run.start(null);
            assertThat(run.end()).isEqualTo("FINISHED");
            assertThat(faults.outstanding()).isEmpty();
            assertThat(faults.fired()).isEqualTo(4);
            assertSameWeights(run);
        }
    }

    /** The trainer twice before one checkpoint completes; then attempts; then the trainer. */
    private static void atBarrier(Faults faults, int checkpoint) {
        switch (checkpoint) {
            case 2 -> {
                faults.next("before optim", 2);
                faults.awaitFired(2);
            }
            case 3 -> {
                faults.next("before effect", 1);
                faults.awaitFired(3);
            }
            case 4 -> {
                faults.next("after forward", 1);
                faults.awaitFired(4);
            }
            default -> {
                // It completes undisturbed.
            }
        }
    }

    @Test
    void whenTheTrainersSessionIsLostInMidStepAndNoRegionRestarts() throws Exception {
        Faults faults =
                faults("sessions")
                        .at("before optim", 3)
                        .at("after forward", 12)
                        .at("after save", 2)
                        .at("before publish", 6);
        try (FakeRun run = run("sessions", folder, true)) {
            run.start(null);
            assertThat(run.end()).isEqualTo("FINISHED");
            assertThat(faults.outstanding()).isEmpty();
            assertThat(run.restarts("Train")).isZero();
            assertThat(run.restarts("Play attempts")).isZero();
            assertThat(run.read(run.topics().rejects(), Reject.class))
                    .extracting(Reject::reason)
                    .hasSize(4)
                    .containsOnly("trainer_session_lost");
            assertSameWeights(run);
        }
    }

    @Test
    void whenItGoesOnFromASavepointThatIsThreeEpochsOld() throws Exception {
        Faults faults = faults("savepoint");
        // Steps 1 to 4 pass, then each life of the trainer ends with its first update.
        faults.from("after optim", 9);
        try (FakeRun run = run("savepoint", folder, false)) {
            run.start(null);
            awaitStep(run, 1);
            String savepoint = takenSavepoint(run);
            awaitEpoch(run, newestEpoch(run) + 3);
            run.kill();
            faults.mend("after optim");
            long before = newestEpoch(run);
            run.start(savepoint);
            assertThat(run.end()).isEqualTo("FINISHED");
            assertThat(newestEpoch(run)).isGreaterThan(before);
            assertSameWeights(run);
        }
    }

    private static void assertSameWeights(FakeRun run) throws Exception {
        assertThat(digests(run)).isEqualTo(reference);
    }

    /** Digest of the file of each step; those of all epochs must be one. */
    private static SortedMap<Long, String> digests(FakeRun run) throws Exception {
        TreeMap<Long, String> digests = new TreeMap<>();
        for (PolicyRecord publication : publications(run)) {
            byte[] file = Files.readAllBytes(Path.of(URI.create(publication.uri())));
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(file);
            String hex = HexFormat.of().formatHex(digest);
            String before = digests.putIfAbsent(publication.step(), hex);
            assertThat(before == null || before.equals(hex))
                    .as("step %d of every epoch is the same", publication.step())
                    .isTrue();
        }
        return digests;
    }

    private static void awaitStep(FakeRun run, long step) {
        await().atMost(PATIENCE)
                .until(() -> publications(run).stream().anyMatch(p -> p.step() >= step));
    }

    /** A savepoint fails when a task does meanwhile; then the next one is taken. */
    private static String takenSavepoint(FakeRun run) {
        return await().atMost(PATIENCE).ignoreExceptions().until(run::savepoint, uri -> true);
    }

    private static void awaitEpoch(FakeRun run, long epoch) {
        await().atMost(PATIENCE).until(() -> newestEpoch(run) >= epoch);
    }

    /** Also of a trainer that failed before it published anything. */
    private static long newestEpoch(FakeRun run) {
        return run.read(run.topics().policies(), PolicyRecord.class).stream()
                .mapToLong(PolicyRecord::epoch)
                .max()
                .orElse(0);
    }

    private static List<PolicyRecord> publications(FakeRun run) {
        return run.read(run.topics().policies(), PolicyRecord.class).stream()
                .filter(p -> p.kind() == PolicyRecord.Kind.PUBLICATION)
                .toList();
    }
}
