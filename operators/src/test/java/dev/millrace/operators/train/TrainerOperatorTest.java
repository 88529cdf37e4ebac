package dev.millrace.operators.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.backends.fake.FakePolicyTrainer;
import dev.millrace.backends.fake.FakeState;
import dev.millrace.udfs.minibatch.LearnInput;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.Reject;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.junit.jupiter.api.Test;

class TrainerOperatorTest {
    private final FakePolicyTrainer trainer = new FakePolicyTrainer(7);
    private final MemoryStore store = new MemoryStore();

    private TrainerHarness open(OperatorSubtaskState state) throws Exception {
        return TrainerHarness.open(trainer, store, state);
    }

    private static void steps(TrainerHarness harness, long epoch, long from, long to)
            throws Exception {
        for (long step = from; step < to; step++) {
            harness.minibatch(epoch, step, 0);
            harness.minibatch(epoch, step, 1);
        }
    }

    private FakeState weights(TrainerHarness harness, long version) {
        PolicyRecord record =
                harness.published().stream()
                        .filter(p -> p.step() == version)
                        .reduce((first, second) -> second)
                        .orElseThrow();
        return trainer.at(record.uri());
    }

    private FakeState undisturbed(long version) throws Exception {
        FakePolicyTrainer other = new FakePolicyTrainer(7);
        try (TrainerHarness straight = TrainerHarness.open(other, store, null)) {
            straight.claim(1, 0, 0);
            steps(straight, 1, 0, version);
            straight.untilPublished(version);
            String uri = straight.published().get((int) version).uri();
            return other.at(uri);
        }
    }

    @Test
    void publishesTheInitialPolicyBeforeThereIsAnythingToTrainOn() throws Exception {
        try (TrainerHarness harness = open(null)) {
            harness.claim(1, 0, 0);
            harness.untilPublished(0);
            PolicyRecord first = harness.published().get(0);
            assertThat(first.version()).isEqualTo(new PolicyVersion(1, 0));
            assertThat(first.last()).isFalse();
            assertThat(trainer.at(first.uri()).trained()).isEmpty();
        }
    }

    @Test
    void publishesAVersionAfterEachStepAndMarksTheLast() throws Exception {
        try (TrainerHarness harness = open(null)) {
            harness.claim(1, 0, 0);
            steps(harness, 1, 0, 5);
            harness.untilPublished(5);
            assertThat(harness.published().stream().map(PolicyRecord::step))
                    .containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
            assertThat(harness.published().stream().map(PolicyRecord::last))
                    .containsExactly(false, false, false, false, false, true);
            assertThat(harness.published().get(1).metrics())
                    .containsEntry("tokens", 4.0)
                    .containsEntry("loss", -2.0)
                    .containsEntry("kl", 0.01)
                    .containsEntry("clipFraction", 0.25)
                    .containsEntry("entropy", 1.5)
                    .containsEntry("gradNorm", 2.0)
                    .containsEntry("rewardMean", 0.5)
                    .containsEntry("lagMean", 1.0)
                    .containsKeys("trainSeconds", "waitSeconds");
            assertThat(weights(harness, 5).trained()).hasSize(10).doesNotHaveDuplicates();
            harness.endInput();
        }
    }

    @Test
    void savesItsStateEveryFewStepsAndAtTheLast() throws Exception {
        try (TrainerHarness harness = open(null)) {
            harness.claim(1, 0, 0);
            steps(harness, 1, 0, 5);
            harness.untilPublished(5);
            assertThat(harness.session().calls().stream().filter(c -> c.startsWith("save")))
                    .containsExactly(
                            "save run-e1-n1-step2", "save run-e1-n1-step4", "save run-e1-n1-step5");
        }
    }

    @Test
    void givesMinibatchesToTheSessionWithoutWaitingForAnswers() throws Exception {
        Queue<Runnable> device = new ConcurrentLinkedQueue<>();
        FakePolicyTrainer slow = new FakePolicyTrainer(7, device::add);
        try (TrainerHarness harness = TrainerHarness.open(slow, store, null)) {
            harness.claim(1, 0, 0);
            steps(harness, 1, 0, 2);
            harness.until(
                    () -> !slow.sessions().isEmpty() && harness.session().calls().size() >= 6);
            assertThat(harness.session().calls())
                    .containsExactly(
                            "publish run-e1-n1-step0",
                            "run/e1/s0/m0/p0/fb",
                            "run/e1/s0/m0/p0/opt",
                            "run/e1/s0/m1/p0/fb",
                            "run/e1/s0/m1/p0/opt",
                            "publish run-e1-n1-step1");
            assertThat(harness.published()).isEmpty();
            harness.until(
                    () -> {
                        Runnable work = device.poll();
                        if (work != null) {
                            work.run();
                        }
                        return harness.published().size() == 3;
                    });
            assertThat(weights(slow, harness, 2).trained()).hasSize(4);
        }
    }

    private static FakeState weights(FakePolicyTrainer on, TrainerHarness harness, int published) {
        return on.at(harness.published().get(published).uri());
    }

    @Test
    void trainsOnNothingTwiceAndLosesNothingOverARestore() throws Exception {
        OperatorSubtaskState state;
        try (TrainerHarness before = open(null)) {
            before.claim(1, 0, 0);
            steps(before, 1, 0, 3);
            before.minibatch(1, 3, 0);
            before.untilPublished(3);
            state = before.snapshot();
            before.minibatch(1, 3, 1);
            before.untilPublished(4);
        }
        try (TrainerHarness after = open(state)) {
            after.claim(2, 1, 3);
            after.minibatch(2, 3, 1);
            steps(after, 2, 4, 5);
            after.untilPublished(5);
            assertThat(after.published().stream().map(PolicyRecord::version))
                    .containsExactly(
                            new PolicyVersion(2, 3),
                            new PolicyVersion(2, 4),
                            new PolicyVersion(2, 5));
            assertThat(after.session().calls()).startsWith("run/e2/s2/m0/p0/fb");
            FakeState weights = weights(after, 5);
            assertThat(weights.trained()).hasSize(10).doesNotHaveDuplicates();
            assertThat(weights).isEqualTo(undisturbed(5));
        }
    }

    @Test
    void publishesTheSavedVersionAnewWhenNothingCameAfterIt() throws Exception {
        OperatorSubtaskState state;
        try (TrainerHarness before = open(null)) {
            before.claim(1, 0, 0);
            steps(before, 1, 0, 2);
            before.untilPublished(2);
            state = before.snapshot();
        }
        try (TrainerHarness after = open(state)) {
            after.claim(2, 1, 2);
            after.untilPublished(2);
            assertThat(weights(after, 2)).isEqualTo(undisturbed(2));
        }
    }

    @Test
    void keepsMinibatchesThatCameBeforeItsClaim() throws Exception {
        OperatorSubtaskState state;
        try (TrainerHarness before = open(null)) {
            before.claim(1, 0, 0);
            before.minibatch(1, 0, 0);
            state = before.snapshot();
        }
        try (TrainerHarness after = open(state)) {
            after.minibatch(1, 0, 1);
            assertThat(after.published()).isEmpty();
            after.claim(2, 1, 1);
            after.untilPublished(1);
            assertThat(weights(after, 1)).isEqualTo(undisturbed(1));
        }
    }

    @Test
    void leavesOutATrajectoryThatCannotBeReadAndSaysSo() throws Exception {
        try (TrainerHarness harness = open(null)) {
            harness.claim(1, 0, 0);
            store.trajectory("run/g0/a0");
            harness.send(
                    LearnInput.of(
                            TrainerHarness.minibatch(
                                    1, 0, 0, List.of("run/g0/a0", "run/g0/missing")),
                            1));
            harness.minibatch(1, 0, 1);
            harness.untilPublished(1);
            assertThat(harness.rejects().stream().map(Reject::key))
                    .containsExactly("run/g0/missing");
            assertThat(harness.rejects().get(0).reason()).isEqualTo("trajectory_unreadable");
            assertThat(harness.published().get(1).metrics()).containsEntry("droppedItems", 1.0);
            assertThat(weights(harness, 1).trained()).hasSize(2);
        }
    }

    @Test
    void inLockstepATrajectoryThatCannotBeReadFailsTheTaskAndIsReadAgain() throws Exception {
        LearnInput input =
                LearnInput.of(
                        TrainerHarness.minibatch(1, 0, 0, List.of("run/g0/a0", "run/g0/late")), 1);
        store.trajectory("run/g0/a0");
        OperatorSubtaskState state;
        try (TrainerHarness strict = TrainerHarness.openStrict(trainer, store)) {
            strict.claim(1, 0, 0);
            strict.untilPublished(0);
            strict.send(input);
            state = strict.snapshot();
            assertThatThrownBy(() -> strict.until(() -> false))
                    .hasStackTraceContaining("The trajectory of run/g0/late can't be read");
            assertThat(strict.rejects()).isEmpty();
        }
        store.trajectory("run/g0/late");
        try (TrainerHarness again = open(state)) {
            again.claim(2, 1, 0);
            again.minibatch(2, 0, 1);
            again.untilPublished(1);
            assertThat(weights(again, 1).trained()).as("nothing was left out").hasSize(3);
            assertThat(again.rejects()).isEmpty();
        }
    }

    @Test
    void whatTheTrainerDidWithItsTimeAddsUp() throws Exception {
        Queue<Runnable> device = new ConcurrentLinkedQueue<>();
        FakePolicyTrainer slow = new FakePolicyTrainer(7, device::add);
        try (TrainerHarness harness = TrainerHarness.open(slow, store, null)) {
            harness.claim(1, 0, 0);
            harness.until(() -> device.size() == 1);
            harness.clock(3_000);
            device.remove().run();
            harness.untilPublished(0);
            assertThat(seconds(harness, 0)).containsExactly(0.0, 3.0, 0.0);
            harness.clock(5_000);
            steps(harness, 1, 0, 1);
            harness.until(() -> device.size() == 5);
            harness.clock(9_000);
            for (int call = 0; call < 4; call++) {
                device.remove().run();
            }
            harness.drain();
            harness.clock(10_000);
            device.remove().run();
            harness.untilPublished(1);
            assertThat(seconds(harness, 1)).containsExactly(4.0, 1.0, 2.0);
        }
    }

    /** Time in which a version was trained, was stored, and in which there was nothing to do. */
    private static List<Double> seconds(TrainerHarness harness, int version) {
        Map<String, Double> metrics = harness.published().get(version).metrics();
        return List.of(
                metrics.get("trainSeconds"),
                metrics.get("storeSeconds"),
                metrics.get("waitSeconds"));
    }

    @Test
    void noTrajectoryIsReadByTheTaskThread() throws Exception {
        List<Thread> readers = new CopyOnWriteArrayList<>();
        store.reading(() -> readers.add(Thread.currentThread()));
        List<String> attempts = IntStream.range(0, 256).mapToObj(i -> "run/g0/a" + i).toList();
        attempts.forEach(store::trajectory);
        try (TrainerHarness harness = open(null)) {
            harness.claim(1, 0, 0);
            harness.send(LearnInput.of(TrainerHarness.minibatch(1, 0, 0, attempts), 1));
            harness.minibatch(1, 0, 1);
            harness.untilPublished(1);
            assertThat(readers).hasSize(257).doesNotContain(Thread.currentThread());
        }
    }

    @Test
    void failsTheTaskWhenTheTrainerFails() throws Exception {
        try (TrainerHarness harness = open(null)) {
            trainer.open("run-e1-n1", "").close();
            harness.claim(1, 0, 0);
            assertThatThrownBy(() -> harness.until(() -> false))
                    .hasStackTraceContaining("The trainer failed in session run-e1-n1");
        }
    }

    @Test
    void refusesAMinibatchThatDoesNotFollow() throws Exception {
        try (TrainerHarness harness = open(null)) {
            harness.claim(1, 0, 0);
            harness.minibatch(1, 0, 0);
            assertThatThrownBy(() -> harness.minibatch(1, 1, 0))
                    .hasMessageContaining("run/e1/s1/m0 does not follow");
        }
    }

    @Test
    void refusesToEndWithMinibatchesUntrained() throws Exception {
        Queue<Runnable> device = new ArrayDeque<>();
        FakePolicyTrainer stuck = new FakePolicyTrainer(7, device::add);
        try (TrainerHarness harness = TrainerHarness.open(stuck, store, null)) {
            harness.claim(1, 0, 0);
            assertThatThrownBy(harness::endInput).hasStackTraceContaining("untrained");
        }
    }
}
