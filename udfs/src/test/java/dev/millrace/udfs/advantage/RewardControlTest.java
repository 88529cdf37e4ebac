package dev.millrace.udfs.advantage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RewardControlTest {
    @Test
    void dealsTheSameRewardsAnewAndAlwaysTheSameWay() {
        double[] rewards = {0, 1, 2, 3, 4, 5, 6, 7};
        double[] dealt = RewardControl.shuffleWithinGroup(rewards, 3);
        assertThat(dealt).isNotEqualTo(rewards);
        assertThat(dealt).containsExactly(RewardControl.shuffleWithinGroup(rewards, 3));
        double[] sorted = dealt.clone();
        Arrays.sort(sorted);
        assertThat(sorted).containsExactly(rewards);
    }
}
