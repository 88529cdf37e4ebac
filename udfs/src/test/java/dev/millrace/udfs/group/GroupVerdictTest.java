package dev.millrace.udfs.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.udfs.Samples;
import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GroupVerdictTest {
    private static AttemptSummary attempt(int index, boolean valid, double reward) {
        return Samples.attempt("g", index, valid, reward, PolicyVersion.NONE);
    }

    @Test
    void isMixedWhenValidRewardsDiffer() {
        GroupVerdict verdict =
                GroupVerdict.of(List.of(attempt(0, true, 1), attempt(1, true, 0)), 2, 2);
        assertThat(verdict).isEqualTo(new GroupVerdict(Verdict.MIXED, "", 0.5));
    }

    @Test
    void doesNotTakeAnInvalidAttemptForAReward() {
        GroupVerdict verdict =
                GroupVerdict.of(
                        List.of(attempt(0, true, 1), attempt(1, true, 1), attempt(2, false, 0)),
                        3,
                        2);
        assertThat(verdict).isEqualTo(new GroupVerdict(Verdict.CONSTANT, "constant_reward", 1));
    }

    @Test
    void failsWithTooFewValidAttemptsEvenIfTheyDiffer() {
        GroupVerdict verdict =
                GroupVerdict.of(
                        List.of(attempt(0, true, 1), attempt(1, true, 0), attempt(2, false, 0)),
                        3,
                        3);
        assertThat(verdict.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(verdict.cause()).isEqualTo("too_few_valid");
    }

    @Test
    void asksNoMoreOfASmallGroupThanItHas() {
        assertThat(GroupVerdict.of(List.of(attempt(0, true, 1)), 1, 4).verdict())
                .isEqualTo(Verdict.CONSTANT);
    }

    @Test
    void equalRewardsAreKeptForALossThatCanUseThem() {
        List<AttemptSummary> equal = List.of(attempt(0, true, 1), attempt(1, true, 1));
        assertThat(GroupVerdict.of(equal, 2, 2, true))
                .isEqualTo(new GroupVerdict(Verdict.KEPT, "", 1));
        assertThat(Verdict.KEPT.trains()).isTrue();
        assertThat(GroupVerdict.of(equal, 2, 2, false).verdict().trains()).isFalse();
    }

    @Test
    void isCancelledWhenAnyAttemptWas() {
        AttemptSummary played = attempt(1, false, 0);
        AttemptSummary cancelled =
                new AttemptSummary(
                        played.attemptId(),
                        1,
                        Outcome.CANCELLED,
                        false,
                        0,
                        null,
                        List.of(),
                        null,
                        0,
                        0,
                        0,
                        PolicyVersion.NONE,
                        0,
                        0,
                        1);
        List<AttemptSummary> attempts = new ArrayList<>(List.of(attempt(0, true, 1), cancelled));
        assertThat(GroupVerdict.of(attempts, 2, 1).verdict()).isEqualTo(Verdict.CANCELLED);
    }
}
