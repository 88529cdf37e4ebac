package dev.millrace.operators.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.backends.fake.FakePolicyTrainer;
import dev.millrace.backends.port.PolicyTrainer;
import dev.millrace.backends.port.TrainerException;
import dev.millrace.backends.port.TrainerSession;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.Reject;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.junit.jupiter.api.Test;

/** A trainer of two runs. */
class TrainerRunsTest {
    private static final String FIRST = "job-c1";
    private static final String SECOND = "job-c2";
    private static final int MANY = 100;
    private final FakePolicyTrainer trainer = new FakePolicyTrainer(7);
    private final MemoryStore store = new MemoryStore();

    /** How many sessions of the second run may be asked for and refused. */
    private final Semaphore refusals = new Semaphore(MANY);

    private static List<Long> steps(TrainerHarness harness, String run) {
        return harness.published().stream()
                .filter(p -> p.runId().equals(run) && p.kind() == PolicyRecord.Kind.PUBLICATION)
                .map(PolicyRecord::step)
                .toList();
    }

    private static List<PolicyRecord> failures(TrainerHarness harness) {
        return harness.published().stream()
                .filter(p -> p.kind() == PolicyRecord.Kind.FAILED)
                .toList();
    }

    /** Opens no session of the second run. */
    private PolicyTrainer refusing(TrainerException.Kind kind) {
        return refusing(kind, true);
    }

    private PolicyTrainer refusing(TrainerException.Kind kind, boolean publicationsStay) {
        return new PolicyTrainer() {
            @Override
            public boolean publicationsOutliveSessions() {
                return publicationsStay;
            }

            @Override
            public TrainerSession open(String name, String stateUri) {
                if (name.startsWith(SECOND)) {
                    refusals.acquireUninterruptibly();
                    throw new TrainerException(kind, "no adapter is free", null);
                }
                return trainer.open(name, stateUri);
            }

            @Override
            public void close() {
                // Nothing is held.
            }
        };
    }

    private void train(TrainerHarness harness, String run, int from, int to) throws Exception {
        for (int step = from; step < to; step++) {
            harness.step(run, 1, step);
        }
    }

    @Test
    void eachRunHasItsOwnSessionAndVersions() throws Exception {
        try (TrainerHarness harness = TrainerHarness.ofRuns(trainer, store, null, FIRST, SECOND)) {
            harness.claim(FIRST, 1, 0, 0);
            harness.claim(SECOND, 1, 0, 0);
            train(harness, SECOND, 0, 2);
            train(harness, FIRST, 0, 1);
            harness.until(() -> harness.published().size() == 5);
            assertThat(steps(harness, FIRST)).containsExactly(0L, 1L);
            assertThat(steps(harness, SECOND)).containsExactly(0L, 1L, 2L);
            assertThat(trainer.sessions()).hasSize(2);
            harness.endInput();
        }
    }

    @Test
    void aRunThatTheTrainerRefusesEndsAndTheOtherGoesOn() throws Exception {
        try (TrainerHarness harness =
                TrainerHarness.ofRuns(
                        refusing(TrainerException.Kind.FAILED), store, null, FIRST, SECOND)) {
            harness.claim(FIRST, 1, 0, 0);
            harness.claim(SECOND, 1, 0, 0);
            harness.until(() -> !failures(harness).isEmpty());
            train(harness, SECOND, 0, 1);
            train(harness, FIRST, 0, 5);
            harness.until(() -> steps(harness, FIRST).size() == 6);
            assertThat(failures(harness)).singleElement().satisfies(this::isOfTheSecond);
            assertThat(steps(harness, SECOND)).isEmpty();
            assertThat(harness.rejects())
                    .containsExactly(
                            new Reject(
                                    SECOND,
                                    "train",
                                    "trainer_failed",
                                    SECOND + "-e1-n1",
                                    "no adapter is free"));
            harness.endInput();
        }
    }

    private void isOfTheSecond(PolicyRecord failure) {
        assertThat(failure.runId()).isEqualTo(SECOND);
        assertThat(failure.epoch()).isEqualTo(1);
        assertThat(failure.step()).isZero();
        assertThat(failure.cause()).isEqualTo("no adapter is free");
    }

    @Test
    void aRunThatWasGivenUpGoesOnUnderALaterEpoch() throws Exception {
        OperatorSubtaskState state;
        try (TrainerHarness harness =
                TrainerHarness.ofRuns(
                        refusing(TrainerException.Kind.FAILED), store, null, FIRST, SECOND)) {
            harness.claim(SECOND, 1, 0, 0);
            harness.until(() -> !failures(harness).isEmpty());
            train(harness, SECOND, 0, 2);
            state = harness.snapshot();
        }
        try (TrainerHarness harness = TrainerHarness.ofRuns(trainer, store, state, FIRST, SECOND)) {
            harness.claim(SECOND, 2, 1, 2);
            harness.until(() -> steps(harness, SECOND).contains(2L));
            assertThat(steps(harness, SECOND)).containsExactly(0L, 1L, 2L);
        }
    }

    @Test
    void lossesEndARunOnlyIfAnotherIsServedMeanwhile() throws Exception {
        PolicyTrainer losing = refusing(TrainerException.Kind.SESSION_LOST);
        try (TrainerHarness harness = TrainerHarness.ofRuns(losing, store, null, FIRST, SECOND)) {
            harness.claim(SECOND, 1, 0, 0);
            assertThatThrownBy(() -> harness.until(() -> false))
                    .hasStackTraceContaining("losses before: 3");
        }
        try (TrainerHarness harness = TrainerHarness.ofRuns(losing, store, null, FIRST, SECOND)) {
            refusals.drainPermits();
            refusals.release();
            harness.claim(SECOND, 1, 0, 0);
            harness.until(() -> !harness.rejects().isEmpty());
            harness.claim(FIRST, 1, 0, 0);
            harness.until(() -> steps(harness, FIRST).equals(List.of(0L)));
            refusals.release(MANY);
            harness.until(() -> !failures(harness).isEmpty());
            assertThat(failures(harness)).singleElement().satisfies(this::isOfTheSecond);
        }
    }

    @Test
    void oneLossFailsTheTaskWherePublicationsEndWithTheirSession() throws Exception {
        PolicyTrainer losing = refusing(TrainerException.Kind.SESSION_LOST, false);
        try (TrainerHarness harness = TrainerHarness.ofRuns(losing, store, null, FIRST, SECOND)) {
            harness.claim(FIRST, 1, 0, 0);
            harness.until(() -> !steps(harness, FIRST).isEmpty());
            harness.claim(SECOND, 1, 0, 0);
            assertThatThrownBy(() -> harness.until(() -> !failures(harness).isEmpty()))
                    .hasStackTraceContaining("losses before: 0");
        }
    }
}
