package dev.millrace.udfs.rollout;

import static dev.millrace.udfs.Attempts.admission;
import static dev.millrace.udfs.Attempts.booted;
import static dev.millrace.udfs.Attempts.budget;
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
import dev.millrace.udfs.model.Executed;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.Sampled;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.TurnAction;
import dev.millrace.udfs.step.Effect;
import dev.millrace.udfs.step.StepView;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RolloutMachineTest {
    private final RolloutMachine machine = new RolloutMachine();

    @Test
    void playsBootSampleExecuteCaptureInOrder() {
        assertThat(due()).extracting(Effect::effectId).containsExactly("boot#1");
        Effect sample = only(due(booted("boot#1", 1, 2)));
        assertThat(sample.effectId()).isEqualTo("sample#1.0");
        assertThat(sample.tokens()).containsExactly(1, 2);
        assertThat(sample.maxTokens()).isEqualTo(8);

        Effect execute =
                only(
                        due(
                                booted("boot#1", 1, 2),
                                sampled("sample#1.0", TurnAction.COMMAND, "ls", 5, 6)));
        assertThat(execute.effectId()).isEqualTo("exec#1.0");
        assertThat(execute.command()).isEqualTo("ls");
        assertThat(execute.timeoutMillis()).isEqualTo(1_000);
        assertThat(execute.history()).isEmpty();

        Effect second =
                only(
                        due(
                                booted("boot#1", 1, 2),
                                sampled("sample#1.0", TurnAction.COMMAND, "ls", 5, 6),
                                executed("exec#1.0", 9)));
        assertThat(second.effectId()).isEqualTo("sample#1.1");
        assertThat(second.tokens()).containsExactly(1, 2, 5, 6, 9);
    }

    @Test
    void whatTheEnvironmentSaidIsMaskedAndTheTailOfItIsTrimmed() {
        Effect capture =
                only(
                        due(
                                booted("boot#1", 1, 2),
                                sampled("sample#1.0", TurnAction.COMMAND, "ls", 5, 6),
                                executed("exec#1.0", 9),
                                sampled("sample#1.1", TurnAction.COMMAND, "cat a", 7),
                                executed("exec#1.1", 10, 11),
                                sampled("sample#1.2", TurnAction.COMMAND, "sed", 8),
                                executed("exec#1.2", 12, 13)));
        assertThat(capture.effectId()).isEqualTo("capture#1");
        assertThat(capture.trajectory().tokens()).containsExactly(1, 2, 5, 6, 9, 7, 10, 11, 8);
        assertThat(capture.trajectory().mask()).containsExactly(0, 0, 1, 1, 0, 1, 0, 0, 1);
        assertThat(capture.trajectory().logprobs())
                .containsExactly(0f, 0f, -0.5f, -1f, 0f, -0.5f, 0f, 0f, -0.5f);
        assertThat(capture.trajectory().turns()).hasSize(3);
        assertThat(capture.trajectory().turns().get(1).firstToken()).isEqualTo(5);
        assertThat(capture.history())
                .extracting(Effect.PastCommand::command)
                .containsExactly("ls", "cat a", "sed");
    }

    @Test
    void runsTheCommandsOfATurnInTheirOrderAndAsksAfterTheLast() {
        StepEvent[] begun = {booted("boot#1", 1, 2), asked("sample#1.0", List.of("ls", "pwd"), 5)};
        Effect first = only(due(begun));
        assertThat(List.of(first.effectId(), first.command())).containsExactly("exec#1.0", "ls");
        assertThat(List.of(first.part(), first.parts())).containsExactly(0, 2);
        StepEvent[] half = concat(begun, executed("exec#1.0", 9));
        Effect second = only(due(half));
        assertThat(second.effectId()).isEqualTo("exec#1.0.1");
        assertThat(second.command()).isEqualTo("pwd");
        assertThat(List.of(second.part(), second.parts())).containsExactly(1, 2);
        assertThat(second.sampledTokens()).containsExactly(5);
        assertThat(second.history())
                .extracting(Effect.PastCommand::effectId)
                .containsExactly("exec#1.0");
        StepEvent[] whole = concat(half, executed("exec#1.0.1", 10));
        Effect sample = only(due(whole));
        assertThat(sample.effectId()).isEqualTo("sample#1.1");
        assertThat(sample.tokens()).containsExactly(1, 2, 5, 9, 10);
        Effect capture =
                only(due(concat(whole, sampled("sample#1.1", TurnAction.FINAL, "done", 7))));
        assertThat(capture.trajectory().turns()).hasSize(2);
        assertThat(capture.trajectory().turns().get(0).command()).isEqualTo("ls\npwd");
        assertThat(capture.history())
                .extracting(Effect.PastCommand::command)
                .containsExactly("ls", "pwd");
    }

    @Test
    void leavesTheRestOfATurnWhenACommandEndsItsSandbox() {
        StepEvent killed =
                event("exec#1.0", StepEvent.Kind.EXECUTED, 1)
                        .with(new Executed(137, false, new int[0], 0, "d", true));
        Effect capture =
                only(
                        due(
                                booted("boot#1", 1),
                                asked("sample#1.0", List.of("kill -9 -1", "ls"), 5),
                                killed));
        assertThat(capture.effectId()).isEqualTo("capture#1");
        assertThat(capture.trajectory().turns().get(0).exitCode()).isEqualTo(137);
    }

    private static StepEvent asked(String effectId, List<String> commands, int token) {
        StepEvent one = sampled(effectId, TurnAction.COMMAND, commands.get(0), token);
        return event(effectId, StepEvent.Kind.SAMPLED, 10)
                .with(
                        new Sampled(
                                one.sampled().tokens(),
                                one.sampled().logprobs(),
                                one.sampled().served(),
                                true,
                                TurnAction.COMMAND,
                                commands.get(0),
                                commands.subList(1, commands.size())));
    }

    @Test
    void reportsWhatWasPlayed() {
        FinishedAttempt finished =
                result(
                                booted("boot#1", 1, 2),
                                sampled("sample#1.0", TurnAction.COMMAND, "ls", 5, 6),
                                executed("exec#1.0", 9),
                                sampled("sample#1.1", TurnAction.FINAL, "", 7),
                                captured("capture#1"))
                        .orElseThrow();
        assertThat(finished.outcome()).isEqualTo(Outcome.SUBMITTED);
        assertThat(finished.turns()).isEqualTo(2);
        assertThat(finished.generatedTokens()).isEqualTo(3);
        assertThat(finished.totalTokens()).isEqualTo(6);
        assertThat(finished.runningMillis()).isEqualTo(40);
        assertThat(finished.oldestVersion()).isEqualTo(Attempts.VERSION);
        assertThat(finished.tries()).isEqualTo(1);
        assertThat(finished.failure()).isNull();
    }

    @Test
    void aTryThatInfrastructureLosesIsPlayedAgainFromItsStart() {
        StepEvent[] lostOnce = {
            booted("boot#1", 1),
            sampled("sample#1.0", TurnAction.COMMAND, "ls", 5),
            failed("exec#1.0", FailureClass.INFRA)
        };
        assertThat(only(due(lostOnce)).effectId()).isEqualTo("boot#2");
        assertThat(only(due(lostOnce)).leaseName()).endsWith("/t2");
        assertThat(result(lostOnce)).isEmpty();

        Effect sample = only(due(concat(lostOnce, booted("boot#2", 1))));
        assertThat(sample.effectId()).isEqualTo("sample#2.0");
        assertThat(sample.tokens()).containsExactly(1);
    }

    @Test
    void isLostWhenInfrastructureFailsTooOften() {
        FinishedAttempt finished =
                result(failed("boot#1", FailureClass.INFRA), failed("boot#2", FailureClass.INFRA))
                        .orElseThrow();
        assertThat(finished.outcome()).isEqualTo(Outcome.LOST);
        assertThat(finished.failure().cause()).isEqualTo("cause_boot#2");
        assertThat(finished.tries()).isEqualTo(2);
        assertThat(due(failed("boot#1", FailureClass.INFRA), failed("boot#2", FailureClass.INFRA)))
                .isEmpty();
    }

    @Test
    void aTurnThatCantBeParsedIsAnsweredAndTooManyInARowEndTheAttempt() {
        Effect observe =
                only(
                        due(
                                booted("boot#1", 1),
                                sampled("sample#1.0", TurnAction.FORMAT_ERROR, "say ls", 5)));
        assertThat(observe.kind()).isEqualTo(Effect.Kind.OBSERVE);
        assertThat(observe.command()).isEqualTo("say ls");
        FinishedAttempt finished =
                result(
                                booted("boot#1", 1),
                                sampled("sample#1.0", TurnAction.FORMAT_ERROR, "x", 5),
                                executed("observe#1.0", 9),
                                sampled("sample#1.1", TurnAction.FORMAT_ERROR, "x", 5),
                                executed("observe#1.1", 9),
                                captured("capture#1"))
                        .orElseThrow();
        assertThat(finished.outcome()).isEqualTo(Outcome.FORMAT_ERRORS);
    }

    @Test
    void aSandboxThatThePolicyEndsIsNotPlayedAgain() {
        StepEvent killed =
                event("exec#1.0", StepEvent.Kind.EXECUTED, 1)
                        .with(new Executed(137, false, new int[] {9}, 0, "d", true));
        Effect capture =
                only(
                        due(
                                booted("boot#1", 1),
                                sampled("sample#1.0", TurnAction.COMMAND, "kill -9 -1", 5),
                                killed));
        assertThat(capture.effectId()).isEqualTo("capture#1");
        assertThat(
                        result(
                                        booted("boot#1", 1),
                                        sampled("sample#1.0", TurnAction.COMMAND, "kill -9 -1", 5),
                                        killed,
                                        captured("capture#1"))
                                .orElseThrow()
                                .outcome())
                .isEqualTo(Outcome.SANDBOX_KILLED);
    }

    @Test
    void stopsAtTheContextAndAtTheTimeLimit() {
        AttemptBudget tight = new AttemptBudget(3, 8, 4, 2, 1_000, 10_000, 2);
        StepView<Admission> full =
                view(
                        tight,
                        booted("boot#1", 1, 2),
                        sampled("sample#1.0", TurnAction.COMMAND, "ls", 3),
                        executed("exec#1.0", 4));
        assertThat(only(machine.due(full)).kind()).isEqualTo(Effect.Kind.CAPTURE);
        AttemptBudget brief = new AttemptBudget(3, 8, 100, 2, 1_000, 30, 2);
        StepView<Admission> late =
                view(
                        brief,
                        booted("boot#1", 1),
                        sampled("sample#1.0", TurnAction.COMMAND, "ls", 3),
                        executed("exec#1.0", 4),
                        captured("capture#1"));
        assertThat(machine.result(late).orElseThrow().outcome()).isEqualTo(Outcome.TIME_LIMIT);
    }

    @Test
    void cancellationEndsIt() {
        StepEvent cancel = event(StepEvent.CANCEL, StepEvent.Kind.CANCELLED, 0);
        assertThat(due(booted("boot#1", 1), cancel)).isEmpty();
        FinishedAttempt finished = result(booted("boot#1", 1), cancel).orElseThrow();
        assertThat(finished.outcome()).isEqualTo(Outcome.CANCELLED);
        assertThat(finished.failure().failureClass()).isEqualTo(FailureClass.INFRA);
    }

    @Test
    void refusesALogProbabilityThatIsNotFinite() {
        StepEvent broken =
                event("sample#1.0", StepEvent.Kind.SAMPLED, 1)
                        .with(
                                new Sampled(
                                        new int[] {1},
                                        new float[] {Float.NaN},
                                        new PolicyVersion(1, 0),
                                        true,
                                        TurnAction.FINAL,
                                        ""));
        assertThatThrownBy(() -> due(booted("boot#1", 1), broken))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("token 0 is not finite");
    }

    private List<Effect> due(StepEvent... events) {
        return machine.due(view(budget(), events));
    }

    private Optional<FinishedAttempt> result(StepEvent... events) {
        return machine.result(view(budget(), events));
    }

    private static StepView<Admission> view(AttemptBudget budget, StepEvent... events) {
        return new StepView<>(admission(budget), List.of(events));
    }

    private static StepEvent[] concat(StepEvent[] events, StepEvent next) {
        StepEvent[] all = java.util.Arrays.copyOf(events, events.length + 1);
        all[events.length] = next;
        return all;
    }

    private static Effect only(List<Effect> effects) {
        assertThat(effects).hasSize(1);
        return effects.get(0);
    }
}
