package dev.millrace.udfs.advantage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.udfs.Vectors;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class GroupAdvantagesTest {
    @Test
    void matchesTheReferenceForEveryNumberOfSolvedAttempts() {
        int[] solved = {1, 4, 7, 8};
        String[] names = {"grpo_1of8", "grpo_4of8", "grpo_7of8", "grpo_all_equal"};
        for (int i = 0; i < names.length; i++) {
            double[] rewards = new double[8];
            Arrays.fill(rewards, 0, solved[i], 1);
            JsonNode vector = Vectors.get(names[i]);
            assertThat(GroupAdvantages.of(rewards, true))
                    .containsExactly(Vectors.doubles(vector.get("adv")), within(1e-15));
            assertThat(GroupAdvantages.mean(rewards)).isEqualTo(vector.get("mean").asDouble());
            assertThat(GroupAdvantages.standardDeviation(rewards))
                    .isEqualTo(vector.get("std_ddof1").asDouble(), within(1e-15));
        }
    }

    @Test
    void aSingleAttemptSaysNothing() {
        assertThat(GroupAdvantages.of(new double[] {1}, true)).containsExactly(0);
        assertThat(GroupAdvantages.of(new double[0], true)).isEmpty();
    }

    @Test
    void leavesTheDivisionOutWhenToldSo() {
        assertThat(GroupAdvantages.of(new double[] {1, 0, 0, 0}, false))
                .containsExactly(0.75, -0.25, -0.25, -0.25);
    }

    @Property
    void sumsToZeroAndKeepsTheOrder(
            @ForAll @Size(min = 2, max = 16) List<@DoubleRange(min = -1, max = 1) Double> drawn) {
        double[] rewards = drawn.stream().mapToDouble(Double::doubleValue).toArray();
        double[] advantages = GroupAdvantages.of(rewards, true);
        assertThat(Arrays.stream(advantages).sum()).isEqualTo(0, within(1e-6));
        for (int i = 1; i < rewards.length; i++) {
            boolean rises = rewards[i] > rewards[i - 1];
            assertThat(advantages[i] > advantages[i - 1]).isEqualTo(rises);
        }
    }

    @Test
    void aGroupOfOneHasTheAdvantageZero() {
        assertThat(GroupAdvantages.of(new double[] {1}, true)).containsExactly(0);
    }
}
