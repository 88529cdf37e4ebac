package dev.millrace.udfs.advantage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.udfs.Vectors;
import java.util.List;
import org.junit.jupiter.api.Test;

class PassAtKTest {
    @Test
    void matchesTheReference() {
        for (int k : List.of(1, 2, 4, 8)) {
            double expected = Vectors.get("pass_at_k_n8_c3").get(String.valueOf(k)).asDouble();
            assertThat(PassAtK.estimate(8, 3, k)).isEqualTo(expected, within(1e-12));
        }
    }

    @Test
    void isCertainOnceTooFewFailed() {
        assertThat(PassAtK.estimate(8, 6, 3)).isEqualTo(1);
        assertThat(PassAtK.estimate(8, 0, 8)).isEqualTo(0);
    }

    @Test
    void refusesNumbersThatContradictEachOther() {
        assertThatThrownBy(() -> PassAtK.estimate(4, 5, 1)).hasMessageContaining("solved 5");
        assertThatThrownBy(() -> PassAtK.estimate(4, 2, 5)).hasMessageContaining("k 5");
    }
}
