package dev.millrace.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class KillPlanTest {
    private static final List<KillKind> ALL = List.of(KillKind.values());

    @Test
    void drawsKindsInEvenSharesOfWhichExceptionsInTasksAreOne() {
        Map<KillKind, Long> counts =
                KillPlan.draw(3, 120, ALL, 300).stream()
                        .collect(Collectors.groupingBy(Kill::kind, Collectors.counting()));
        assertThat(counts).hasSize(ALL.size());
        counts.forEach((kind, n) -> assertThat(n).isEqualTo(kind.isTaskException() ? 5 : 10));
    }

    @Test
    void strikesACheckpointOnlyWithWhatStrikesAtOnce() {
        assertThat(KillPlan.draw(5, 100, ALL, 300))
                .filteredOn(Kill::duringCheckpoint)
                .allMatch(kill -> kill.kind().strikesAtOnce())
                .noneMatch(Kill::beforeRecovered);
    }

    @Test
    void disturbsARecoveryOnlyWhereSomethingRestarts() {
        List<Kill> plan = KillPlan.draw(5, 100, ALL, 300);
        for (int i = 1; i < plan.size(); i++) {
            if (plan.get(i).beforeRecovered()) {
                assertThat(plan.get(i - 1).kind().restartsSomething()).isTrue();
            }
        }
    }

    @Test
    void drawsTheSamePlanForTheSameSeedOnly() {
        assertThat(KillPlan.draw(3, 40, ALL, 90)).isEqualTo(KillPlan.draw(3, 40, ALL, 90));
        assertThat(KillPlan.draw(4, 40, ALL, 90)).isNotEqualTo(KillPlan.draw(3, 40, ALL, 90));
    }

    @Test
    void strikesAFifthDuringCheckpointsAndATenthBeforeTheLastIsOvercome() {
        for (long seed = 0; seed < 20; seed++) {
            List<Kill> plan = KillPlan.draw(seed, 100, ALL, 300);
            assertThat(plan.stream().filter(Kill::duringCheckpoint).count())
                    .isGreaterThanOrEqualTo(20);
            assertThat(plan.stream().filter(Kill::beforeRecovered).count())
                    .isGreaterThanOrEqualTo(10);
        }
    }

    @Test
    void spreadsTheKillsOverAllStepsAndLeavesAFewAfterTheLast() {
        List<Kill> plan = KillPlan.draw(7, 100, ALL, 200);
        assertThat(plan).extracting(Kill::atStep).isSorted();
        assertThat(plan.get(0).atStep()).isEqualTo(1);
        assertThat(plan.get(50).atStep()).isBetween(98L, 101L);
        assertThat(plan.get(99).atStep()).isBetween(195L, 197L);
    }
}
