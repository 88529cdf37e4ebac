package dev.millrace.backends.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class DemonstrationPlanTest {
    private static final List<String> REPAIRS =
            List.of("mv a.py b.py", "mv c.py d.py", "mv e.py f.py");

    @Test
    void carefulDemonstratorsLookBeforeTheyRepair() {
        List<DemonstrationPlan> plans = DemonstrationPlan.draw(REPAIRS, 6, 0, 1);
        assertThat(plans).hasSize(6);
        assertThat(plans.get(4).task()).isEqualTo(1);
        assertThat(plans.get(4).commands()).containsExactly("ls", "cat *", "mv c.py d.py", "exit");
    }

    @Test
    void hastyDemonstratorsNeverRepairTheirTask() {
        List<DemonstrationPlan> plans = DemonstrationPlan.draw(REPAIRS, 90, 1, 1);
        for (DemonstrationPlan plan : plans) {
            assertThat(plan.commands())
                    .hasSize(3)
                    .endsWith("exit")
                    .doesNotContain(REPAIRS.get(plan.task()));
        }
        assertThat(plans.stream().filter(p -> p.commands().contains("cat *")).count())
                .isBetween(25L, 65L);
    }

    @Test
    void drawsTheStatedShareOfHastyDemonstrators() {
        List<DemonstrationPlan> plans = DemonstrationPlan.draw(REPAIRS, 1000, 0.5, 1);
        assertThat(plans.stream().filter(p -> p.commands().size() == 3).count())
                .isBetween(430L, 570L);
        assertThat(DemonstrationPlan.draw(REPAIRS, 1000, 0.5, 1)).isEqualTo(plans);
    }

    @Test
    void refusesASingleTask() {
        assertThatThrownBy(() -> DemonstrationPlan.draw(List.of("ls"), 1, 0.5, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
