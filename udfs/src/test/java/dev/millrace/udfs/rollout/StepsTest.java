package dev.millrace.udfs.rollout;

import static dev.millrace.udfs.Attempts.CONTENT;
import static dev.millrace.udfs.Attempts.admission;
import static dev.millrace.udfs.Attempts.budget;
import static dev.millrace.udfs.Attempts.captured;
import static dev.millrace.udfs.Attempts.event;
import static dev.millrace.udfs.Attempts.executed;
import static dev.millrace.udfs.Attempts.failed;
import static dev.millrace.udfs.Attempts.sampled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.Booted;
import dev.millrace.udfs.model.Executed;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.StepEnd;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.TurnAction;
import dev.millrace.udfs.step.Effect;
import dev.millrace.udfs.step.StepView;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A task of several steps is one attempt, whose conversation goes on. */
class StepsTest {
    private final RolloutMachine machine = new RolloutMachine();

    @Test
    void theEndOfAStepIsFollowedByTheNextInstruction() {
        Effect advance = due(booted(2), submitted(0, 5));
        assertThat(advance.kind()).isEqualTo(Effect.Kind.ADVANCE);
        assertThat(advance.effectId()).isEqualTo("advance#1.0");
        assertThat(advance.command()).isEqualTo("1");
        assertThat(advance.sampledTokens()).containsExactly(5);

        Effect sample = due(booted(2), submitted(0, 5), advanced(0, false, 8, 9));
        assertThat(sample.kind()).isEqualTo(Effect.Kind.SAMPLE);
        assertThat(sample.tokens()).containsExactly(1, 5, 8, 9);

        Effect capture = due(booted(2), submitted(0, 5), advanced(0, false, 8, 9), submitted(1, 6));
        assertThat(capture.kind()).isEqualTo(Effect.Kind.CAPTURE);
        assertThat(capture.trajectory().tokens()).containsExactly(1, 5, 8, 9, 6);
        assertThat(capture.trajectory().mask()).containsExactly(0, 1, 0, 0, 1);
        assertThat(capture.stopped()).isFalse();
        assertThat(capture.history())
                .containsExactly(
                        new Effect.PastCommand(
                                "advance#1.0", "1", "next", new StepEnd(CONTENT, false)));
    }

    @Test
    void aTaskWithOneStepEndsAsEver() {
        assertThat(due(booted(0), submitted(0, 5)).kind()).isEqualTo(Effect.Kind.CAPTURE);
        assertThat(due(booted(1), submitted(0, 5)).kind()).isEqualTo(Effect.Kind.CAPTURE);
    }

    @Test
    void anAttemptThatMayNotGoOnIsOver() {
        List<StepEvent> events =
                List.of(booted(3), submitted(0, 5), advanced(0, true), captured("capture#1"));
        Effect capture = due(events.subList(0, 3).toArray(StepEvent[]::new));
        assertThat(capture.kind()).isEqualTo(Effect.Kind.CAPTURE);
        assertThat(capture.stopped()).as("nothing is to be had of a step not begun").isTrue();
        FinishedAttempt finished =
                machine.result(new StepView<>(admission(budget()), events)).orElseThrow();
        assertThat(finished.outcome()).isEqualTo(Outcome.SUBMITTED);
        assertThat(finished.turns()).isEqualTo(1);
    }

    @Test
    void stepsAndCommandsAreReplayedInTheirOrder() {
        Effect execute =
                due(
                        booted(3),
                        sampled("sample#1.0", TurnAction.COMMAND, "ls", 5),
                        executed("exec#1.0", 9),
                        submitted(1, 6),
                        advanced(1, false, 8),
                        sampled("sample#1.2", TurnAction.COMMAND, "pwd", 7));
        assertThat(execute.command()).isEqualTo("pwd");
        assertThat(execute.history())
                .extracting(Effect.PastCommand::effectId, Effect.PastCommand::command)
                .containsExactly(tuple("exec#1.0", "ls"), tuple("advance#1.1", "1"));
    }

    @Test
    void aLostTryBeginsWithTheFirstStep() {
        StepEvent[] lost = {
            booted(2),
            submitted(0, 5),
            advanced(0, false, 8),
            failed("sample#1.1", FailureClass.INFRA),
            event("boot#2", StepEvent.Kind.BOOTED, 5).with(new Booted(new int[] {1}, 2)),
            sampled("sample#2.0", TurnAction.FINAL, "", 5)
        };
        Effect advance = due(lost);
        assertThat(advance.effectId()).isEqualTo("advance#2.0");
        assertThat(advance.command()).isEqualTo("1");
        assertThat(advance.history()).isEmpty();
    }

    @Test
    void aSandboxThatTheAgentEndsBetweenStepsEndsTheAttempt() {
        StepEvent ended =
                event("advance#1.0", StepEvent.Kind.EXECUTED, 5)
                        .with(new Executed(137, false, new int[0], 0, "", true));
        Effect capture = due(booted(2), submitted(0, 5), ended);
        assertThat(capture.kind()).isEqualTo(Effect.Kind.CAPTURE);
        assertThat(capture.stopped()).isTrue();
    }

    private static StepEvent booted(int steps) {
        return event("boot#1", StepEvent.Kind.BOOTED, 5).with(new Booted(new int[] {1}, steps));
    }

    private static StepEvent submitted(int turn, int token) {
        return sampled("sample#1." + turn, TurnAction.FINAL, "", token);
    }

    private static StepEvent advanced(int turn, boolean over, int... tokens) {
        StepEnd end = new StepEnd(CONTENT, over);
        return event("advance#1." + turn, StepEvent.Kind.EXECUTED, 5)
                .with(new Executed(0, false, tokens, 0, "next", false, 0, false, null, end));
    }

    private Effect due(StepEvent... events) {
        Admission admission = admission(budget());
        List<Effect> due = machine.due(new StepView<>(admission, List.of(events)));
        assertThat(due).hasSize(1);
        return due.get(0);
    }
}
