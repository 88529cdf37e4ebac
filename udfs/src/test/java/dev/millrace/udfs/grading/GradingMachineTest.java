package dev.millrace.udfs.grading;

import static dev.millrace.udfs.Attempts.CONTENT;
import static dev.millrace.udfs.Attempts.VERSION;
import static dev.millrace.udfs.Attempts.admission;
import static dev.millrace.udfs.Attempts.budget;
import static dev.millrace.udfs.Attempts.event;
import static dev.millrace.udfs.Attempts.failed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.udfs.model.ContentRef;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.Graded;
import dev.millrace.udfs.model.GradedAttempt;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.step.StepView;
import java.util.List;
import org.junit.jupiter.api.Test;

class GradingMachineTest {
    private final GradingMachine machine = new GradingMachine();

    @Test
    void gradesOnceAndReportsTheVerdict() {
        assertThat(machine.due(view(finished(CONTENT, null))))
                .extracting(e -> e.effectId())
                .containsExactly("grade#1");
        StepEvent graded =
                event("grade#1", StepEvent.Kind.GRADED, 70).with(new Graded(1.0, List.of("flag")));
        GradedAttempt result = machine.result(view(finished(CONTENT, null), graded)).orElseThrow();
        assertThat(result.valid()).isTrue();
        assertThat(result.reward()).isEqualTo(1.0);
        assertThat(result.flags()).containsExactly("flag");
        assertThat(result.gradingMillis()).isEqualTo(70);
        assertThat(machine.due(view(finished(CONTENT, null), graded))).isEmpty();
    }

    @Test
    void whatInfrastructureLostIsMaskedWithoutGrading() {
        Failure lost =
                new Failure(FailureClass.INFRA, "sandbox_create_failed", "said for a person");
        GradedAttempt result = machine.result(view(finished(null, lost))).orElseThrow();
        assertThat(result.valid()).isFalse();
        assertThat(result.failure()).isEqualTo(lost);
        assertThat(machine.due(view(finished(null, lost)))).isEmpty();
    }

    @Test
    void nothingToGradeByThePolicysOwnHandIsRewardZero() {
        GradedAttempt result = machine.result(view(finished(null, null))).orElseThrow();
        assertThat(result.valid()).isTrue();
        assertThat(result.reward()).isZero();
    }

    @Test
    void aVerifierFailureIsMaskedAndNeverZero() {
        GradedAttempt result =
                machine.result(
                                view(
                                        finished(CONTENT, null),
                                        failed("grade#1", FailureClass.VERIFIER)))
                        .orElseThrow();
        assertThat(result.valid()).isFalse();
        assertThat(result.failure().failureClass()).isEqualTo(FailureClass.VERIFIER);
    }

    @Test
    void infrastructureIsTriedAgainThenMasked() {
        StepEvent first = failed("grade#1", FailureClass.INFRA);
        assertThat(machine.result(view(finished(CONTENT, null), first))).isEmpty();
        assertThat(machine.due(view(finished(CONTENT, null), first)))
                .extracting(e -> e.effectId())
                .containsExactly("grade#2");
        GradedAttempt result =
                machine.result(
                                view(
                                        finished(CONTENT, null),
                                        first,
                                        failed("grade#2", FailureClass.INFRA)))
                        .orElseThrow();
        assertThat(result.valid()).isFalse();
    }

    private static StepView<FinishedAttempt> view(FinishedAttempt attempt, StepEvent... events) {
        return new StepView<>(attempt, List.of(events));
    }

    private static FinishedAttempt finished(ContentRef workspace, Failure failure) {
        return new FinishedAttempt(
                admission(budget()),
                failure == null ? Outcome.SUBMITTED : Outcome.LOST,
                failure,
                workspace,
                workspace,
                2,
                3,
                6,
                VERSION,
                40,
                1);
    }
}
