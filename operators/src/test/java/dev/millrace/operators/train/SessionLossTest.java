package dev.millrace.operators.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.backends.fake.FakePolicyTrainer;
import dev.millrace.backends.fake.FakeSession;
import dev.millrace.backends.fake.FakeState;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.Reject;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A trainer's session is gone, or does not answer, while the stage lives on. */
class SessionLossTest {
    private final MemoryStore store = new MemoryStore();
    private final Queue<Runnable> device = new ConcurrentLinkedQueue<>();

    private static void steps(TrainerHarness harness, long epoch, long from, long to)
            throws Exception {
        for (long step = from; step < to; step++) {
            harness.minibatch(epoch, step, 0);
            harness.minibatch(epoch, step, 1);
        }
    }

    private FakeState undisturbed() throws Exception {
        FakePolicyTrainer other = new FakePolicyTrainer(7);
        try (TrainerHarness straight = TrainerHarness.open(other, store, null)) {
            straight.claim(1, 0, 0);
            steps(straight, 1, 0, 5);
            straight.untilPublished(5);
            return other.at(straight.published().get(5).uri());
        }
    }

    /** Carries out what the trainer was asked for, one call at a time. */
    private void work(TrainerHarness harness, int calls) {
        AtomicInteger left = new AtomicInteger(calls);
        harness.until(
                () -> {
                    Runnable call = left.get() > 0 ? device.poll() : null;
                    if (call != null) {
                        call.run();
                        left.decrementAndGet();
                    }
                    return left.get() == 0;
                });
    }

    private void workUntilPublished(TrainerHarness harness, long version) {
        harness.until(
                () -> {
                    Runnable call = device.poll();
                    if (call != null) {
                        call.run();
                    }
                    return harness.published().stream().anyMatch(p -> p.step() == version);
                });
    }

    /**
     * The calls of three steps with saves: publish; fb, opt, fb, opt, publish; fb, opt, fb, opt,
     * save, publish; fb, opt, fb, opt, publish.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 6, 10, 11, 12, 13, 16})
    void goesOnInAnotherSessionWhereverTheFirstOneIsLost(int callsBefore) throws Exception {
        FakePolicyTrainer trainer = new FakePolicyTrainer(7, device::add);
        try (TrainerHarness harness = TrainerHarness.open(trainer, store, null)) {
            harness.claim(1, 0, 0);
            steps(harness, 1, 0, 5);
            work(harness, callsBefore);
            harness.session().lose();
            workUntilPublished(harness, 5);
            assertThat(harness.published().stream().map(PolicyRecord::step))
                    .as("each version is published once")
                    .containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
            assertThat(trainer.at(harness.published().get(5).uri())).isEqualTo(undisturbed());
            assertThat(trainer.sessions())
                    .extracting(FakeSession::name)
                    .containsExactly("run-e1-n1", "run-e1-n1-s2");
            assertThat(harness.rejects())
                    .extracting(Reject::reason)
                    .containsExactly("trainer_session_lost");
            assertThat(harness.rejects()).extracting(Reject::key).containsExactly("run-e1-n1");
            harness.endInput();
        }
    }

    @Test
    void aCallThatIsNotAnsweredInTimeEndsTheSession() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        FakePolicyTrainer hangs =
                new FakePolicyTrainer(
                        7,
                        call -> {
                            if (calls.incrementAndGet() != 8) {
                                call.run();
                            }
                        });
        try (TrainerHarness harness = TrainerHarness.open(hangs, store, null, 300)) {
            harness.claim(1, 0, 0);
            steps(harness, 1, 0, 5);
            harness.untilPublished(5);
            assertThat(harness.rejects())
                    .extracting(Reject::reason)
                    .containsExactly("trainer_timeout");
            assertThat(harness.rejects().get(0).detail())
                    .contains("300 ms, train.stepTimeout", "run/e1/s1/m0/p0/opt");
            assertThat(hangs.at(harness.published().get(5).uri())).isEqualTo(undisturbed());
            assertThat(harness.published()).hasSize(6);
        }
    }

    @Test
    void severalLossesInARowFailTheTaskAndAreNamed() throws Exception {
        FakePolicyTrainer hangs = new FakePolicyTrainer(7, call -> {});
        try (TrainerHarness harness = TrainerHarness.open(hangs, store, null, 50)) {
            harness.claim(1, 0, 0);
            assertThatThrownBy(() -> harness.until(() -> false))
                    .hasStackTraceContaining("failed in session run-e1-n1-s4, losses before: 3")
                    .hasStackTraceContaining("did not answer within 50 ms");
            assertThat(harness.rejects()).hasSize(3);
        }
    }

    @Test
    void aRestoreAfterALossTrainsOnNothingTwice() throws Exception {
        FakePolicyTrainer trainer = new FakePolicyTrainer(7);
        OperatorSubtaskState state;
        try (TrainerHarness before = TrainerHarness.open(trainer, store, null)) {
            before.claim(1, 0, 0);
            steps(before, 1, 0, 3);
            before.untilPublished(3);
            before.session().lose();
            before.minibatch(1, 3, 0);
            before.until(() -> trainer.sessions().size() == 2);
            state = before.snapshot();
        }
        try (TrainerHarness after = TrainerHarness.open(trainer, store, state)) {
            after.claim(2, 1, 3);
            after.minibatch(2, 3, 1);
            steps(after, 2, 4, 5);
            after.untilPublished(5);
            assertThat(after.published().get(0).version()).isEqualTo(new PolicyVersion(2, 3));
            assertThat(trainer.at(after.published().get(2).uri())).isEqualTo(undisturbed());
        }
    }
}
