package dev.millrace.jobs.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.PolicyVersion;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrialFailureTest {
    @ParameterizedTest
    @CsvSource({
        "INFRA, sandbox_create_failed, SandboxCreateFailedError",
        "INFRA, cancelled, CancelledError",
        "VERIFIER, reward_missing, RewardFileNotFoundError",
        "VERIFIER, reward_empty, RewardFileEmptyError",
        "VERIFIER, reward_key_missing, VerifierOutputParseError",
        "VERIFIER, verifier_timeout, VerifierTimeoutError",
        "VERIFIER, task_quarantined, TaskQuarantinedError"
    })
    void takesHarborsNamesWhereItHasThem(FailureClass whose, String cause, String type) {
        TrialFailure failure =
                TrialFailure.of(attempt(Outcome.SUBMITTED, new Failure(whose, cause, "why")))
                        .orElseThrow();
        assertThat(failure.type()).isEqualTo(type);
        assertThat(failure.message()).isEqualTo(whose + " " + cause + ": why");
    }

    @ParameterizedTest
    @CsvSource({
        "TIME_LIMIT, AgentTimeoutError",
        "CONTEXT_LIMIT, ContextLengthExceededError",
        "SANDBOX_KILLED, SandboxKilledError",
        "CANCELLED, CancelledError"
    })
    void namesEndsThatHarborTakesForExceptions(Outcome outcome, String type) {
        assertThat(TrialFailure.of(attempt(outcome, null)).orElseThrow().type()).isEqualTo(type);
    }

    @Test
    void anAttemptThatCameToItsEndHasNone() {
        assertThat(TrialFailure.of(attempt(Outcome.SUBMITTED, null))).isEmpty();
        assertThat(TrialFailure.of(attempt(Outcome.TURN_LIMIT, null))).isEmpty();
    }

    private static AttemptSummary attempt(Outcome outcome, Failure failure) {
        return new AttemptSummary(
                "run/g1/a0",
                0,
                outcome,
                failure == null,
                0,
                failure,
                List.of(),
                null,
                1,
                1,
                1,
                PolicyVersion.NONE,
                1,
                1,
                1);
    }
}
