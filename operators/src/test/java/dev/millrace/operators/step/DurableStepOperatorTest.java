package dev.millrace.operators.step;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.StepEvent;
import java.util.List;
import java.util.Map;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DurableStepOperatorTest {
    private static final String ROUTE = "r0";
    private static final Admission ITEM = item(0, 2);
    private StepHarness stage;

    @BeforeEach
    void open() throws Exception {
        stage = StepHarness.create();
        stage.open();
    }

    @AfterEach
    void close() throws Exception {
        stage.close();
    }

    @Test
    void nothingCountsBeforeItIsReadBack() throws Exception {
        stage.caughtUp(ROUTE);
        stage.arrive(ITEM);
        assertThat(stage.appended).extracting(StepEvent::effectId).containsExactly("admit");
        assertThat(stage.started).isEmpty();
        stage.readBackAll();
        assertThat(stage.started).containsOnlyKeys("run/g0/a0#s0");
        stage.complete(ITEM, 0);
        assertThat(stage.started).isEmpty();
        stage.readBackAll();
        assertThat(stage.started).containsOnlyKeys("run/g0/a0#s1");
        stage.complete(ITEM, 1);
        assertThat(stage.extractOutputValues()).isEmpty();
        stage.readBackAll();
        assertThat(outcomes()).containsExactly(Outcome.SUBMITTED);
        assertThat(stage.released).containsExactly("run/g0/a0");
        stage.endKeyedInput();
    }

    @Test
    void startsNothingBeforeEveryReaderHasCaughtUp() throws Exception {
        stage.arrive(ITEM);
        Admission known = item(1, 3);
        stage.readBack(admitted(known));
        stage.readBack(sampled(known, 0));
        assertThat(stage.appended).isEmpty();
        assertThat(stage.started).isEmpty();
        stage.caughtUp(ROUTE);
        assertThat(stage.appended).extracting(StepEvent::itemId).containsExactly("run/g0/a0");
        assertThat(stage.started).containsOnlyKeys("run/g1/a0#s1");
        stage.caughtUp(ROUTE);
        assertThat(stage.appended).hasSize(1);
    }

    @Test
    void anItemWithoutStepsAnswersAtOnce() throws Exception {
        stage.caughtUp(ROUTE);
        stage.arrive(item(0, 0));
        stage.readBackAll();
        assertThat(outcomes()).containsExactly(Outcome.SUBMITTED);
        assertThat(stage.started).isEmpty();
    }

    @Test
    void ignoresEventsThatAreNotDue() throws Exception {
        stage.caughtUp(ROUTE);
        stage.arrive(ITEM);
        stage.readBackAll();
        StepEvent first = sampled(ITEM, 0);
        stage.readBack(sampled(ITEM, 1));
        stage.readBack(first);
        stage.readBack(first);
        stage.readBack(sampled(other(ITEM), 1));
        stage.readBack(sampled(item(9, 2), 0));
        stage.readBack(admitted(other(ITEM)));
        assertThat(stage.started).containsOnlyKeys("run/g0/a0#s0", "run/g0/a0#s1");
        assertThat(outcomes()).isEmpty();
        stage.readBack(sampled(ITEM, 1));
        assertThat(outcomes()).containsExactly(Outcome.SUBMITTED);
        stage.readBack(sampled(ITEM, 1));
        stage.readBack(admitted(ITEM));
        assertThat(outcomes()).hasSize(1);
        stage.endKeyedInput();
    }

    @Test
    void aCauseThatOneInAHundredEffectsFailsWithIsReported() throws Exception {
        stage.caughtUp(ROUTE);
        Failure failure = new Failure(FailureClass.INFRA, "logprobs_unusable", "null");
        Admission[] items = new Admission[10];
        for (int i = 0; i < items.length; i++) {
            items[i] = item(i, 100);
            stage.arrive(items[i]);
        }
        stage.readBackAll();
        for (int step = 0; step < 100; step++) {
            for (Admission item : items) {
                if (step == 50) {
                    stage.fail(item, step, failure);
                } else {
                    stage.complete(item, step);
                }
                stage.readBackAll();
            }
        }
        assertThat(stage.rejects())
                .extracting(r -> r.reason() + " " + r.key() + ": " + r.detail())
                .containsExactly(
                        "failure_rate logprobs_unusable: 10 of the last 510 effects failed so");
    }

    @Test
    void skipsOtherRunsAndStages() throws Exception {
        stage.caughtUp(ROUTE);
        stage.readBack(admitted(CountingMachine.item("run2", 0, 1, Lane.TRAIN, ROUTE)));
        stage.readBack(
                ROUTE,
                "{\"stage\":\"grading\",\"itemId\":\"run/g0/a0\",\"kind\":\"ADMITTED\"}"
                        .getBytes(UTF_8));
        assertThat(stage.started).isEmpty();
        assertThat(stage.getSideOutput(DurableStepFactory.REJECTS)).isNull();
    }

    @Test
    void dropsItemsThatComeAgain() throws Exception {
        stage.readBack(admitted(ITEM));
        stage.caughtUp(ROUTE);
        stage.arrive(ITEM);
        stage.arrive(ITEM);
        Admission waiting = item(1, 1);
        stage.arrive(waiting);
        stage.arrive(waiting);
        assertThat(stage.appended).extracting(StepEvent::itemId).containsExactly("run/g1/a0");
        stage.readBackAll();
        stage.readBack(sampled(waiting, 0));
        stage.arrive(waiting);
        assertThat(stage.appended).hasSize(1);
        assertThat(outcomes()).hasSize(1);
    }

    @Test
    void remembersTheNewestClosedItemsOnly() throws Exception {
        stage.caughtUp(ROUTE);
        for (int i = 0; i <= ClosedItems.MOST; i++) {
            stage.arrive(item(i, 0));
            stage.readBackAll();
        }
        int answers = ClosedItems.MOST + 1;
        assertThat(outcomes()).hasSize(answers);
        stage.readBack(admitted(item(1, 0)));
        assertThat(outcomes()).hasSize(answers);
        stage.readBack(admitted(item(0, 0)));
        assertThat(outcomes()).hasSize(answers + 1);
    }

    @Test
    void refusesRecordsThatAreNoEvents() throws Exception {
        stage.readBack(ROUTE, "oops".getBytes(UTF_8));
        stage.readBack(ROUTE, "{\"stage\":\"rollout\",\"itemId\":\"run/x\"}".getBytes(UTF_8));
        assertThat(stage.getSideOutput(DurableStepFactory.REJECTS))
                .extracting(StreamRecord::getValue)
                .extracting(Reject::reason, Reject::key)
                .containsExactly(
                        tuple("undecodable", "turns/0@7"), tuple("malformed", "turns/0@7"));
    }

    @Test
    void theInputMustNotEndWhileAnItemIsPendingOrOpen() throws Exception {
        stage.caughtUp(ROUTE);
        stage.arrive(ITEM);
        assertThatThrownBy(stage::endKeyedInput).hasMessageContaining("0 items open and 1 pending");
        stage.readBackAll();
        assertThatThrownBy(stage::endKeyedInput).hasMessageContaining("1 items open and 0 pending");
    }

    @Test
    void theEndOfTrainingCancelsWhatItShould() throws Exception {
        stage.caughtUp(ROUTE);
        Admission eval = CountingMachine.item(StepHarness.RUN, 1, 3, Lane.EVAL, ROUTE);
        stage.arrive(ITEM);
        stage.arrive(eval);
        stage.readBackAll();
        stage.complete(ITEM, 0);
        stage.policy(publication("other run", true));
        stage.policy(publication(StepHarness.RUN, false));
        assertThat(stage.released).isEmpty();
        stage.policy(publication(StepHarness.RUN, true));
        stage.policy(publication(StepHarness.RUN, true));
        assertThat(stage.released).containsExactly("run/g0/a0");
        // Its completed step is read back first, and starts nothing more.
        stage.readBackAll();
        assertThat(stage.appended).extracting(StepEvent::effectId).endsWith("s0", "cancel");
        assertThat(outcomes()).containsExactly(Outcome.CANCELLED);
        assertThat(stage.started).containsOnlyKeys("run/g1/a0#s0");

        Admission late = item(2, 5);
        stage.arrive(late);
        stage.readBackAll();
        assertThat(outcomes()).containsExactly(Outcome.CANCELLED, Outcome.CANCELLED);
        assertThat(stage.started).containsOnlyKeys("run/g1/a0#s0");
    }

    @Test
    void theLastWordOfATrainerThatWasReplacedEndsNothing() throws Exception {
        stage.caughtUp(ROUTE);
        stage.arrive(ITEM);
        stage.readBackAll();
        stage.policy(announcement(2));
        stage.policy(publication(StepHarness.RUN, true));
        assertThat(stage.released).isEmpty();
    }

    @Test
    void anotherTrainerTakesTheEndOfTrainingBack() throws Exception {
        stage.caughtUp(ROUTE);
        stage.policy(publication(StepHarness.RUN, true));
        stage.policy(announcement(2));
        stage.policy(
                new PolicyRecord(
                        StepHarness.RUN,
                        PolicyRecord.Kind.PUBLICATION,
                        2,
                        0,
                        1,
                        "n",
                        "u",
                        false,
                        Map.of()));
        stage.arrive(ITEM);
        stage.readBackAll();
        assertThat(stage.released).isEmpty();
        assertThat(stage.started).containsOnlyKeys("run/g0/a0#s0");
    }

    @Test
    void anEffectThatEndsWithoutItsEventFailsTheTask() throws Exception {
        stage.caughtUp(ROUTE);
        stage.arrive(ITEM);
        stage.readBackAll();
        stage.started.get("run/g0/a0#s0").completeExceptionally(new IllegalStateException("bug"));
        assertThatThrownBy(stage::runMails)
                .hasMessageContaining("Effect s0 of run/g0/a0 ended without an event")
                .hasRootCauseMessage("bug");
    }

    @Test
    void anEffectThatIsReleasedMayEndAsItLikes() throws Exception {
        stage.caughtUp(ROUTE);
        stage.arrive(ITEM);
        stage.readBackAll();
        var effect = stage.started.get("run/g0/a0#s0");
        stage.policy(publication(StepHarness.RUN, true));
        effect.completeExceptionally(new IllegalStateException("cancelled"));
        stage.runMails();
        stage.readBackAll();
        assertThat(outcomes()).containsExactly(Outcome.CANCELLED);
    }

    @Test
    void aJournalThatCannotBeWrittenFailsTheTask() {
        stage.failJournal();
        assertThatThrownBy(stage::runMails).hasRootCauseMessage("broker is gone");
    }

    private List<Outcome> outcomes() {
        return stage.extractOutputValues().stream().map(FinishedAttempt::outcome).toList();
    }

    private static Admission item(int index, int steps) {
        return CountingMachine.item(StepHarness.RUN, index, steps, Lane.TRAIN, ROUTE);
    }

    /** Another admission of the same item. */
    private static Admission other(Admission a) {
        return new Admission(
                a.runId(),
                a.lane(),
                a.groupId(),
                a.groupIndex(),
                "another",
                a.groupSize(),
                a.attemptIndex(),
                a.route(),
                a.task(),
                a.policy(),
                a.temperature(),
                a.seed(),
                a.evalRound(),
                a.budget());
    }

    private static StepEvent admitted(Admission item) {
        return new CountingMachine().admitted(item);
    }

    private static StepEvent sampled(Admission item, int step) {
        return CountingMachine.event(item, CountingMachine.effectId(step), StepEvent.Kind.SAMPLED);
    }

    private static PolicyRecord announcement(long epoch) {
        return new PolicyRecord(
                StepHarness.RUN, PolicyRecord.Kind.ANNOUNCE, epoch, 0, 1, "n", "", false, Map.of());
    }

    private static PolicyRecord publication(String run, boolean last) {
        return new PolicyRecord(
                run, PolicyRecord.Kind.PUBLICATION, 1, last ? 1 : 0, 0, "n", "u", last, Map.of());
    }
}
