package dev.millrace.udfs.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.udfs.Vectors;
import dev.millrace.udfs.dataset.MixedSelection.Tally;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MixedSelectionTest {
    @Test
    void ordersAsTheReferenceDoes() {
        Map<String, Tally> tallies = new HashMap<>();
        Vectors.get("mixed_order_n8")
                .get("solved")
                .properties()
                .forEach(
                        entry ->
                                tallies.put(
                                        entry.getKey(), new Tally(entry.getValue().asInt(), 8, 8)));
        assertThat(MixedSelection.select(tallies, 8))
                .isEqualTo(Cases.texts(Vectors.get("mixed_order_n8").get("selected")));
    }

    @Test
    void leavesOutWhatWasNotGradedThroughout() {
        assertThat(MixedSelection.select(Map.of("a", new Tally(3, 7, 8)), 8)).isEmpty();
    }
}
