package dev.millrace.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class KillPlanTest {
    private static final List<KillKind> ALL = List.of(KillKind.values());

    @Test
    void drawsKindsInEvenShares() {
        Map<KillKind, Long> counts =
                KillPlan.draw(3, 110, ALL, 300).stream()
                        .collect(Collectors.groupingBy(Kill::kind, Collectors.counting()));
        assertThat(counts).hasSize(ALL.size()).allSatisfy((k, n) -> assertThat(n).isEqualTo(10));
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
    void leavesStepsAfterTheLastKill() {
        List<Kill> plan = KillPlan.draw(1, 12, ALL, 30);
        assertThat(plan.get(11).atStep()).isLessThan(28);
        assertThat(plan).extracting(Kill::atStep).isSorted();
    }
}
