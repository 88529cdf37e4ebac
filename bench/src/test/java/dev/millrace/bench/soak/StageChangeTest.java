package dev.millrace.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;

class StageChangeTest {
    private final StreamExecutionEnvironment env =
            StreamExecutionEnvironment.getExecutionEnvironment();

    @Test
    void leavesTheFirstReleaseAsItIs() {
        StageChange.apply(env, 0);
        assertThat(env.getTransformations()).isEmpty();
    }

    @Test
    void refusesAJobWithoutTheStage() {
        assertThatThrownBy(() -> StageChange.apply(env, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("rollout");
    }
}
