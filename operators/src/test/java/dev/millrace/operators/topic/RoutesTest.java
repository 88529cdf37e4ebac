package dev.millrace.operators.topic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.IntSummaryStatistics;
import java.util.List;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoutesTest {
    private static final int GROUPS = 128;

    @Test
    void thereIsOneKeyOfEachGroup() {
        List<String> keys = Routes.keys(GROUPS);
        for (int group = 0; group < GROUPS; group++) {
            assertThat(KeyGroupRangeAssignment.assignToKeyGroup(keys.get(group), GROUPS))
                    .isEqualTo(group);
        }
        assertThat(Routes.spread(GROUPS, 7)).containsExactlyInAnyOrderElementsOf(keys);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 12, 16})
    void theFirstOfThemAreSpreadOverAllInstances(int parallelism) {
        List<String> routes = Routes.spread(GROUPS, parallelism);
        int[] load = new int[parallelism];
        for (int taken = 0; taken < GROUPS; taken++) {
            load[
                    KeyGroupRangeAssignment.assignKeyToParallelOperator(
                            routes.get(taken), GROUPS, parallelism)]++;
            IntSummaryStatistics loads = Arrays.stream(load).summaryStatistics();
            assertThat(loads.getMax() - loads.getMin())
                    .as("after %s routes: %s", taken + 1, Arrays.toString(load))
                    .isLessThanOrEqualTo(1);
        }
    }
}
