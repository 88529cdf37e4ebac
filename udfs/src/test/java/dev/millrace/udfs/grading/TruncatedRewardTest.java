package dev.millrace.udfs.grading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.udfs.Attempts;
import dev.millrace.udfs.advantage.GroupAdvantages;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.Graded;
import dev.millrace.udfs.model.GradedAttempt;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.step.StepView;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Ten attempts, six of them ended by a limit; the verifier is content with every second one. */
class TruncatedRewardTest {
    private static final List<Outcome> OUTCOMES =
            List.of(
                    Outcome.TURN_LIMIT,
                    Outcome.CONTEXT_LIMIT,
                    Outcome.TIME_LIMIT,
                    Outcome.TURN_LIMIT,
                    Outcome.CONTEXT_LIMIT,
                    Outcome.TIME_LIMIT,
                    Outcome.SUBMITTED,
                    Outcome.SUBMITTED,
                    Outcome.FORMAT_ERRORS,
                    Outcome.SUBMITTED);

    private static GradedAttempt graded(TruncatedReward rule, int index) {
        FinishedAttempt attempt =
                new FinishedAttempt(
                        Attempts.admission(Attempts.budget()),
                        OUTCOMES.get(index),
                        null,
                        Attempts.CONTENT,
                        Attempts.CONTENT,
                        1,
                        5,
                        9,
                        Attempts.VERSION,
                        10,
                        1);
        GradingMachine machine = new GradingMachine(rule);
        return machine.result(new StepView<>(attempt, List.of()))
                .orElseGet(
                        () ->
                                machine.result(
                                                new StepView<>(
                                                        attempt, List.of(verdict((index + 1) % 2))))
                                        .orElseThrow());
    }

    private static StepEvent verdict(double reward) {
        return Attempts.event("grade#1", StepEvent.Kind.GRADED, 5)
                .with(new Graded(reward, List.of()));
    }

    private static List<GradedAttempt> all(TruncatedReward rule) {
        return IntStream.range(0, OUTCOMES.size()).mapToObj(i -> graded(rule, i)).toList();
    }

    private static double[] rewards(List<GradedAttempt> attempts) {
        return attempts.stream()
                .filter(GradedAttempt::valid)
                .mapToDouble(GradedAttempt::reward)
                .toArray();
    }

    @Test
    void keepIsWhatTheVerifierSays() {
        assertThat(rewards(all(TruncatedReward.KEEP)))
                .containsExactly(1, 0, 1, 0, 1, 0, 1, 0, 1, 0);
    }

    @Test
    void zeroIsNoRewardForEachThatALimitEnded() {
        List<GradedAttempt> attempts = all(TruncatedReward.ZERO);
        assertThat(rewards(attempts)).containsExactly(0, 0, 0, 0, 0, 0, 1, 0, 1, 0);
        assertThat(attempts.stream().filter(a -> a.flags().contains("truncated"))).hasSize(6);
        assertThat(GroupAdvantages.mean(rewards(attempts))).isEqualTo(0.2);
    }

    @Test
    void maskLeavesThemOutOfTheStatistics() {
        List<GradedAttempt> attempts = all(TruncatedReward.MASK);
        assertThat(rewards(attempts)).containsExactly(1, 0, 1, 0);
        assertThat(GroupAdvantages.mean(rewards(attempts))).isEqualTo(0.5);
        assertThat(attempts.stream().filter(a -> !a.valid()).map(GradedAttempt::failure))
                .hasSize(6)
                .extracting(Failure::cause)
                .containsOnly("truncated");
    }

    @Test
    void noVerifierRunsForWhatItCanNotChange() {
        FinishedAttempt cut = graded(TruncatedReward.ZERO, 0).attempt();
        StepView<FinishedAttempt> view = new StepView<>(cut, List.of());
        assertThat(new GradingMachine(TruncatedReward.ZERO).due(view)).isEmpty();
        assertThat(new GradingMachine(TruncatedReward.MASK).due(view)).isEmpty();
        assertThat(new GradingMachine(TruncatedReward.KEEP).due(view)).hasSize(1);
    }
}
