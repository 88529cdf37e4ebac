package dev.millrace.udfs.rollout;

import static dev.millrace.udfs.Attempts.booted;
import static dev.millrace.udfs.Attempts.captured;
import static dev.millrace.udfs.Attempts.event;
import static dev.millrace.udfs.Attempts.executed;
import static dev.millrace.udfs.Attempts.failed;
import static dev.millrace.udfs.Attempts.sampled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.udfs.Attempts;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.AttemptBudget;
import dev.millrace.udfs.model.ContentRef;
import dev.millrace.udfs.model.Executed;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.Sampled;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Trajectory;
import dev.millrace.udfs.model.TurnAction;
import dev.millrace.udfs.step.Effect;
import dev.millrace.udfs.step.StepView;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Attempts that a command ends, and turns that leave the conversation. */
class SubmittingCommandsTest {
    private static final ContentRef PATCH = new ContentRef("file:/patch", 5, "aa");

    private final RolloutMachine machine = new RolloutMachine();
    private Admission admission = Attempts.admission(Attempts.budget());

    private Effect due(List<StepEvent> events) {
        List<Effect> due = machine.due(new StepView<>(admission, events));
        assertThat(due).hasSize(1);
        return due.get(0);
    }

    private FinishedAttempt result(List<StepEvent> events) {
        return machine.result(new StepView<>(admission, events)).orElseThrow();
    }

    private static StepEvent submitting(String effectId, ContentRef submission, int... tokens) {
        return event(effectId, StepEvent.Kind.EXECUTED, 20)
                .with(new Executed(0, false, tokens, 5, "d", false, 0, true, submission));
    }

    private static StepEvent taken(String effectId, int takenBack, int... tokens) {
        return event(effectId, StepEvent.Kind.EXECUTED, 1)
                .with(new Executed(-1, false, tokens, 0, "d", false, takenBack, false, null));
    }

    private static StepEvent several(String effectId, String... commands) {
        List<String> more = List.of(commands).subList(1, commands.length);
        return event(effectId, StepEvent.Kind.SAMPLED, 10)
                .with(
                        new Sampled(
                                new int[] {5},
                                new float[] {-1},
                                Attempts.VERSION,
                                true,
                                TurnAction.COMMAND,
                                commands[0],
                                more));
    }

    @Test
    void aCommandThatSubmitsEndsTheAttemptAndTheRestOfItsTurnIsNotRun() {
        List<StepEvent> events = new ArrayList<>(List.of(booted("boot#1", 1)));
        events.add(several("sample#1.0", "ls", "echo done", "rm -r ."));
        events.add(executed("exec#1.0", 8));
        assertThat(due(events).effectId()).isEqualTo("exec#1.0.1");
        events.add(submitting("exec#1.0.1", PATCH, 9, 9, 9));
        Effect capture = due(events);
        assertThat(capture.effectId()).isEqualTo("capture#1");
        assertThat(capture.history())
                .extracting(Effect.PastCommand::command)
                .containsExactly("ls", "echo done");
        assertThat(capture.trajectory().tokens()).containsExactly(1, 5);
        events.add(captured("capture#1"));
        assertThat(result(events).outcome()).isEqualTo(Outcome.SUBMITTED);
        assertThat(result(events).submission()).isEqualTo(PATCH);
    }

    @Test
    void isSubmittedAlsoInTheLastTurnAndWithNothingKept() {
        List<StepEvent> events = new ArrayList<>(List.of(booted("boot#1", 1)));
        for (int turn = 0; turn < 3; turn++) {
            events.add(sampled("sample#1." + turn, TurnAction.COMMAND, "ls", 5));
            String exec = "exec#1." + turn;
            events.add(turn < 2 ? executed(exec, 8) : submitting(exec, null, 9));
        }
        events.add(captured("capture#1"));
        assertThat(result(events).outcome()).isEqualTo(Outcome.SUBMITTED);
        assertThat(result(events).submission()).isNull();
    }

    @Test
    void anotherTryKnowsNothingOfASubmission() {
        List<StepEvent> events =
                List.of(
                        booted("boot#1", 1),
                        sampled("sample#1.0", TurnAction.COMMAND, "echo done", 5),
                        submitting("exec#1.0", PATCH, 9),
                        failed("capture#1", FailureClass.INFRA),
                        booted("boot#2", 1));
        assertThat(due(events).effectId()).isEqualTo("sample#2.0");
    }

    @Test
    void aTurnThatIsTakenBackIsNeitherShownNorTrained() {
        List<StepEvent> events = new ArrayList<>(List.of(booted("boot#1", 1, 2, 3)));
        events.add(sampled("sample#1.0", TurnAction.FORMAT_ERROR, "no", 6, 7));
        assertThat(due(events).kind()).isEqualTo(Effect.Kind.OBSERVE);
        events.add(taken("observe#1.0", 3, 4, 3));
        assertThat(due(events).tokens()).containsExactly(1, 2, 4, 3);
        events.add(sampled("sample#1.1", TurnAction.COMMAND, "ls", 8));
        events.add(submitting("exec#1.1", PATCH, 9));
        Trajectory trajectory = due(events).trajectory();
        assertThat(trajectory.tokens()).containsExactly(1, 2, 4, 3, 8);
        assertThat(trajectory.mask()).containsExactly(0, 0, 0, 0, 1);
        assertThat(trajectory.logprobs()).containsExactly(0f, 0f, 0f, 0f, -0.5f);
        assertThat(trajectory.turns()).hasSize(2);
        assertThat(trajectory.turns().get(0).generatedTokens()).isZero();
        assertThat(trajectory.turns().get(1).firstToken()).isEqualTo(4);
        events.add(captured("capture#1"));
        assertThat(result(events).turns()).isEqualTo(2);
        assertThat(result(events).generatedTokens()).isEqualTo(1);
    }

    @Test
    void turnsThatAreTakenBackEndAnAttemptAsOthersDo() {
        List<StepEvent> events = new ArrayList<>(List.of(booted("boot#1", 1, 2)));
        for (int turn = 0; turn < 2; turn++) {
            events.add(sampled("sample#1." + turn, TurnAction.FORMAT_ERROR, "no", 6));
            events.add(taken("observe#1." + turn, 2, 2));
        }
        assertThat(due(events).trajectory().tokens()).isEmpty();
        events.add(captured("capture#1"));
        assertThat(result(events).outcome()).isEqualTo(Outcome.FORMAT_ERRORS);
        assertThat(result(events).generatedTokens()).isZero();
    }

    @Test
    void anyNumberOfFormatErrorsIsAllowedWhereNoneIsTheLimit() {
        admission = Attempts.admission(new AttemptBudget(5, 8, 100, 0, 1_000, 10_000, 2));
        List<StepEvent> events = new ArrayList<>(List.of(booted("boot#1", 1, 2)));
        for (int turn = 0; turn < 5; turn++) {
            assertThat(due(events).kind()).isEqualTo(Effect.Kind.SAMPLE);
            events.add(sampled("sample#1." + turn, TurnAction.FORMAT_ERROR, "no", 6));
            events.add(taken("observe#1." + turn, 0, 2));
        }
        events.add(captured("capture#1"));
        assertThat(result(events).outcome()).isEqualTo(Outcome.TURN_LIMIT);
    }

    @Test
    void noMoreCanBeTakenBackThanThereIs() {
        List<StepEvent> events =
                List.of(
                        booted("boot#1", 1),
                        sampled("sample#1.0", TurnAction.FORMAT_ERROR, "no", 6),
                        taken("observe#1.0", 3));
        assertThatThrownBy(() -> due(events)).hasMessageContaining("can't take 3 of 2");
    }
}
