package dev.millrace.udfs.seed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.udfs.Vectors;
import java.util.Arrays;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class PythonRandomTest {
    @Test
    void drawsTheNumbersThatPythonDraws() {
        PythonRandom random = new PythonRandom(0);
        double[] drawn = IntStream.range(0, 5).mapToDouble(i -> random.random()).toArray();
        assertThat(drawn).containsExactly(Vectors.doubles(Vectors.get("mt_random_seed0_first5")));
    }

    @Test
    void shufflesAsPythonDoesAndGoesOnFromThere() {
        PythonRandom random = new PythonRandom(0);
        assertThat(random.permutation(10))
                .containsExactly(Vectors.ints(Vectors.get("mt_shuffle_range10_seed0")));
        assertThat(random.random())
                .isEqualTo(Vectors.get("mt_random_after_that_shuffle").asDouble());
    }

    @Test
    void ordersTasksAsTheReferenceSystemsDo() {
        assertThat(new PythonRandom(4242).permutation(31))
                .containsExactly(Vectors.ints(Vectors.get("tinker_task_order_seed4242_n31")));
        assertThat(new PythonRandom(42).permutation(8))
                .containsExactly(Vectors.ints(Vectors.get("slime_shuffle_seed42_epoch0_n8")));
        assertThat(new PythonRandom(43).permutation(8))
                .containsExactly(Vectors.ints(Vectors.get("slime_shuffle_seed42_epoch1_n8")));
    }

    @Property
    void leavesNothingOut(@ForAll long seed, @ForAll @IntRange(min = 0, max = 300) int n) {
        int[] order = new PythonRandom(seed).permutation(n);
        Arrays.sort(order);
        assertThat(order).containsExactly(IntStream.range(0, n).toArray());
    }
}
