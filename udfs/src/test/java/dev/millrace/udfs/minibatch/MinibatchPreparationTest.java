package dev.millrace.udfs.minibatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.udfs.model.ContentRef;
import dev.millrace.udfs.model.MinibatchItem;
import dev.millrace.udfs.model.Trajectory;
import java.util.List;
import org.junit.jupiter.api.Test;

class MinibatchPreparationTest {
    private static final MinibatchItem ITEM =
            new MinibatchItem("a", new ContentRef("mem:a", 1, "00"), 2, 2, null);

    private static Trajectory trajectory(float... logprobs) {
        return new Trajectory(
                "a",
                "adm",
                new int[] {5, 6, 7, 8, 9},
                new byte[] {0, 1, 0, 1, 0},
                logprobs,
                List.of());
    }

    @Test
    void weighsOnlyWhatThePolicySampledAndLeavesTheRestOff() {
        TokenArrays arrays =
                MinibatchPreparation.arrays(trajectory(0, -1, 0, -2, 0), ITEM, null, 0, 100);
        assertThat(arrays.tokens()).containsExactly(5, 6, 7, 8);
        assertThat(arrays.advantages()).containsExactly(0, 0.02f, 0, 0.02f);
        assertThat(arrays.behaviorLogprobs()).containsExactly(0, -1, 0, -2);
    }

    @Test
    void pullsTowardsTheReferencePolicy() {
        float[] reference = {0, -1.5f, 0, -1, 0};
        TokenArrays arrays =
                MinibatchPreparation.arrays(trajectory(0, -1, 0, -2, 0), ITEM, reference, 0.5, 100);
        assertThat(arrays.advantages()[1]).isEqualTo((2 - 0.25f) / 100, within(1e-8f));
        assertThat(arrays.advantages()[3]).isEqualTo((2 + 0.5f) / 100, within(1e-8f));
    }

    @Test
    void refusesArraysThatDoNotFit() {
        assertThatThrownBy(() -> MinibatchPreparation.arrays(trajectory(0, -1), ITEM, null, 0, 100))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("logprobs 2");
        assertThatThrownBy(
                        () ->
                                MinibatchPreparation.arrays(
                                        trajectory(0, -1, 0, -2, 0), ITEM, null, 0.1, 100))
                .hasMessageContaining("reference missing");
    }

    @Test
    void refusesANumberThatIsNotFinite() {
        assertThatThrownBy(
                        () ->
                                MinibatchPreparation.arrays(
                                        trajectory(0, Float.NaN, 0, -2, 0), ITEM, null, 0, 100))
                .hasMessageContaining("token 1 of a");
    }
}
