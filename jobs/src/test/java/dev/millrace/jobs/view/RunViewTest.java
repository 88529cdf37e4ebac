package dev.millrace.jobs.view;

import static dev.millrace.jobs.view.Samples.RUN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.udfs.admission.AdmissionBook;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Verdict;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunViewTest {
    private static final PolicyVersion V0 = new PolicyVersion(1, 0);
    private final RunView view = new RunView(Samples.SHAPE);

    @Test
    void everyOfferedGroupIsTrainedDroppedOrOpen() {
        view.policy(Samples.announce(1, 0, 0), 0);
        view.policy(Samples.publication(1, 0), 0);
        view.step(Samples.admitted(RUN + "/g9", 0, Lane.TRAIN), 0);
        view.step(Samples.admitted(RUN + "/eval0/1", 0, Lane.EVAL), 0);
        for (int i = 0; i < 5; i++) {
            view.group(Samples.mixed(i, V0, 0.5), 0);
        }
        view.group(Samples.train(5, V0, Verdict.CONSTANT, "constant", 1.0), 0);
        view.group(Samples.train(6, V0, Verdict.FAILED, "", 0), 0);
        view.progress(Samples.taken(1, 0, 0), 0);
        view.progress(Samples.taken(1, 1, 0), 0);
        view.progress(Samples.taken(1, 2, 1), 0);
        view.progress(Samples.dropped(1, 3, "stale"), 0);
        view.policy(Samples.publication(1, 1), 0);

        Accounts accounts = view.status(0).accounts();
        assertThat(accounts.offered()).isEqualTo(8);
        assertThat(accounts.trained()).isEqualTo(2);
        assertThat(accounts.droppedByCause())
                .isEqualTo(Map.of("constant", 1L, "failed", 1L, "stale", 1L));
        assertThat(accounts.open()).isEqualTo(3);
    }

    @Test
    void aTakenGroupOfAStepThatNeverCameIsDroppedNotOpen() {
        view.group(Samples.mixed(0, V0, 0.5), 0);
        view.progress(Samples.taken(1, 0, 0), 0);
        view.progress(Samples.dropped(1, 0, "surplus"), 0);
        Accounts accounts = view.status(0).accounts();
        assertThat(accounts.droppedByCause()).isEqualTo(Map.of("surplus", 1L));
        assertThat(accounts.open()).isZero();
    }

    @Test
    void whatWaitsForATrainerThatGaveUpIsDroppedUntilItComesBack() {
        view.policy(Samples.announce(1, 0, 0), 0);
        view.policy(Samples.publication(1, 0), 0);
        view.group(Samples.mixed(0, V0, 0.5), 0);
        view.group(Samples.mixed(1, V0, 0.5), 0);
        view.progress(Samples.taken(1, 0, 0), 0);
        view.policy(PolicyRecord.failed(RUN, 1, 0, 0, "n", "the loss is NaN"), 0);
        assertThat(view.status(0).version()).isEqualTo(new PolicyVersion(1, 0));
        assertThat(view.status(0).accounts().droppedByCause())
                .isEqualTo(Map.of("trainer_failed", 2L));
        assertThat(view.status(0).accounts().open()).isZero();
        view.policy(Samples.announce(2, 1, 0), 0);
        assertThat(view.status(0).accounts().open()).isEqualTo(2);
    }

    @Test
    void groupsThatWereNotPlayedAreOfferedAndDroppedAndStarveNobody() {
        for (int i = 0; i < 40; i++) {
            view.group(Samples.train(i, V0, Verdict.FAILED, "task_quarantined", 0), 0);
        }
        assertThat(view.status(0).starved()).isFalse();
        assertThat(view.status(0).accounts().offered()).isEqualTo(40);
        assertThat(view.status(0).accounts().droppedByCause())
                .isEqualTo(Map.of("task_quarantined", 40L));
    }

    @Test
    void aGroupThatNoMixedOneFollowsForFourBatchesIsStarvation() {
        view.group(Samples.mixed(0, V0, 0.5), 0);
        for (int i = 1; !view.status(0).starved(); i++) {
            assertThat(i).isLessThan(100);
            view.group(Samples.train(i, V0, Verdict.CONSTANT, "constant", 0.0), 0);
        }
        int unmixed = AdmissionBook.STARVING_BATCHES * view.status(0).shape().groupsPerBatch();
        assertThat(view.status(0).accounts().dropped()).isEqualTo(unmixed);
        view.group(Samples.mixed(100, V0, 0.5), 0);
        assertThat(view.status(0).starved()).isFalse();
    }

    @Test
    void theFirstRecordOfAGroupIsThatGroup() {
        view.group(Samples.train(0, V0, Verdict.CONSTANT, "constant", 1.0), 0);
        view.group(Samples.mixed(0, V0, 0.25), 0);
        RunStatus run = view.status(0);
        assertThat(run.accounts().droppedByCause()).containsOnlyKeys("constant");
        assertThat(run.reward()).hasValue(1.0);
        assertThat(run.mixedRate()).hasValue(0.0);
    }

    @Test
    void rewardCountsEveryFinishedGroupOfTheLastThreeBatches() {
        for (int i = 0; i < 4; i++) {
            view.group(Samples.train(i, V0, Verdict.CONSTANT, "constant", 0.0), 0);
        }
        view.group(Samples.train(4, V0, Verdict.FAILED, "failed", 0), 0);
        view.group(Samples.mixed(5, V0, 0.5), 0);
        view.group(Samples.train(6, V0, Verdict.CONSTANT, "constant", 1.0), 0);
        view.group(Samples.train(7, V0, Verdict.CANCELLED, "cancelled", 0), 0);
        view.group(Samples.mixed(8, V0, 0.75), 0);
        RunStatus run = view.status(0);
        assertThat(run.reward().getAsDouble()).isCloseTo(2.25 / 6, within(1e-12));
        assertThat(run.mixedRate().getAsDouble()).isCloseTo(2.0 / 6, within(1e-12));
        assertThat(run.rewardCurve()).hasSize(3).startsWith(0.0);
    }

    @Test
    void stepsBeyondAForkAreNoPartOfTheRun() {
        view.policy(Samples.announce(1, 0, 0), 0);
        for (int step = 0; step <= 5; step++) {
            view.policy(Samples.publication(1, step), step);
        }
        view.group(Samples.mixed(0, V0, 0.5), 0);
        view.progress(Samples.taken(1, 0, 4), 0);
        assertThat(view.status(0).accounts().trained()).isEqualTo(1);

        view.policy(Samples.announce(2, 1, 3), 0);
        RunStatus forked = view.status(0);
        assertThat(forked.step()).isEqualTo(3);
        assertThat(forked.version()).isEqualTo(new PolicyVersion(1, 3));
        assertThat(forked.accounts().trained()).isZero();
        assertThat(forked.accounts().open()).isEqualTo(1);

        view.progress(Samples.dropped(2, 0, "stale"), 0);
        view.policy(Samples.publication(2, 4), 0);
        view.policy(Samples.publication(1, 6), 0);
        RunStatus run = view.status(0);
        assertThat(run.version()).isEqualTo(new PolicyVersion(2, 4));
        assertThat(run.accounts().droppedByCause()).isEqualTo(Map.of("stale", 1L));
    }

    @Test
    void aWordOfAnEpochThatWasLeftBehindHidesNoneOfTheHistory() {
        view.policy(Samples.announce(1, 0, 0), 0);
        view.policy(Samples.publication(1, 1), 0);
        view.group(Samples.mixed(0, V0, 0.5), 0);
        view.group(Samples.mixed(1, V0, 0.5), 0);
        view.progress(Samples.taken(1, 0, 0), 0);
        view.progress(Samples.taken(1, 1, 0), 0);
        view.policy(Samples.announce(2, 1, 0), 0);
        view.progress(Samples.taken(2, 0, 0), 0);
        view.progress(Samples.dropped(2, 1, "stale"), 0);
        view.policy(Samples.announce(3, 1, 1), 0);
        view.policy(Samples.publication(3, 1), 0);
        Accounts accounts = view.status(0).accounts();
        assertThat(accounts.trained()).isEqualTo(2);
        assertThat(accounts.droppedByCause()).isEmpty();
    }

    @Test
    void lagGoesThroughTheFork() {
        view.policy(Samples.announce(1, 0, 0), 0);
        view.policy(Samples.announce(2, 1, 3), 0);
        view.group(Samples.mixed(0, new PolicyVersion(1, 5), 0.5), 0);
        view.group(Samples.mixed(1, new PolicyVersion(1, 2), 0.5), 0);
        view.group(Samples.mixed(2, new PolicyVersion(2, 4), 0.5), 0);
        for (int i = 0; i < 3; i++) {
            view.progress(Samples.taken(2, i, 4), 0);
        }
        view.policy(Samples.publication(2, 5), 0);
        Lag lag = view.status(0).lag();
        assertThat(lag).isEqualTo(new Lag((3 + 2 + 0) / 3.0, 3, 3));
    }

    @Test
    void countsWhatIsInPlayAndHowFastItGoes() {
        String group = RUN + "/g0";
        for (int i = 0; i < 3; i++) {
            view.step(Samples.admitted(group, i, Lane.TRAIN), 1000);
            view.step(Samples.step(group, i, StepEvent.Kind.SAMPLED), 2000 + i * 1000);
        }
        view.step(Samples.step(group, 0, StepEvent.Kind.CAPTURED), 5000);
        view.step(Samples.gradingAdmitted(group, 0), 5000);
        Activity now = view.status(6000).activity();
        assertThat(now.playing()).isEqualTo(2);
        assertThat(now.grading()).isEqualTo(1);
        assertThat(now.turns()).isEqualTo(3);
        assertThat(now.turnsPerSecond()).isCloseTo(3 / 5.0, within(1e-9));
        assertThat(view.status(100_000).activity().turnsPerSecond()).isZero();

        view.group(Samples.mixed(0, V0, 0.5), 0);
        view.step(Samples.admitted(group, 2, Lane.TRAIN), 7000);
        Activity closed = view.status(7000).activity();
        assertThat(closed.playing() + closed.grading()).isZero();
    }

    @Test
    void evaluationRoundsKeepSampledAndGreedyApart() {
        PolicyVersion last = new PolicyVersion(1, 10);
        for (int task = 0; task < 3; task++) {
            view.group(Samples.eval(task, V0, false, 1, 0, 0, -1), 0);
            view.group(Samples.eval(task, V0, false, 1, 1, 1, 1), 0);
            view.group(Samples.eval(task, V0, true, 1), 0);
        }
        assertThat(view.status(0).after(false)).isEmpty();
        view.group(Samples.eval(0, last, false, 1, 1, 1, 1), 0);
        assertThat(view.status(0).after(false)).as("an open round").isEmpty();
        view.group(Samples.eval(1, last, false, 1, 1, 1, 1), 0);
        view.group(Samples.eval(2, last, false, 1, 1, 1, 0), 0);

        RunStatus run = view.status(0);
        EvalRound before = run.before(false).orElseThrow();
        assertThat(before.version()).isEqualTo(V0);
        assertThat(before.reward().orElseThrow()).isEqualTo(Interval.wilson(3, 9));
        assertThat(before.invalid()).isEqualTo(3);
        assertThat(run.after(false).orElseThrow().reward().orElseThrow().mean())
                .isCloseTo(11 / 12.0, within(1e-12));
        assertThat(run.before(true).orElseThrow().reward().orElseThrow().mean()).isEqualTo(1);
        assertThat(run.after(true)).isEmpty();
    }

    @Test
    void timeLeftFollowsTheMiddleStepTime() {
        view.policy(Samples.announce(1, 0, 0), 0);
        long[] at = {0, 5000, 10_000, 90_000, 96_000};
        for (int step = 0; step < at.length; step++) {
            view.policy(Samples.publication(1, step), at[step]);
        }
        assertThat(view.status(0).timeLeft()).contains(Duration.ofSeconds(6 * 6));
    }

    @Test
    void otherRunsDontCount() {
        RunView other = new RunView(new RunShape("demo-2", "demo", 10, 2, 3));
        other.group(Samples.mixed(0, V0, 0.5), 0);
        other.policy(Samples.publication(1, 4), 0);
        other.step(Samples.admitted(RUN + "/g1", 0, Lane.TRAIN), 0);
        other.progress(Samples.taken(1, 0, 0), 0);
        other.reject(new Reject(RUN, "gate", "unknown_run", "k", "d"), 0);
        RunStatus run = other.status(0);
        assertThat(run.accounts().offered()).isZero();
        assertThat(run.step()).isZero();
        assertThat(run.rejects()).isEmpty();
        assertThat(run.activity().playing()).isZero();
    }

    @Test
    void theDrainedMarkIsNoGroup() {
        view.group(GroupRecord.drained(RUN, ""), 0);
        assertThat(view.status(0).drained()).isTrue();
        assertThat(view.status(0).accounts().offered()).isZero();
    }

    @Test
    void aPublicationOfATrainerThatWasReplacedIsNoStepOfTheRun() {
        RunView view = new RunView(Samples.SHAPE);
        view.policy(Samples.announce(1, 0, 0), 0);
        view.policy(Samples.publication(1, 0), 0);
        view.policy(Samples.publication(1, 1), 0);
        view.policy(Samples.announce(2, 1, 5), 0);
        view.policy(Samples.publication(1, 2), 0);
        assertThat(view.status(0).step()).isEqualTo(1);
        view.policy(Samples.publication(2, 1), 0);
        view.policy(Samples.publication(1, 3), 0);
        assertThat(view.status(0).step()).isEqualTo(1);
    }
}
