package dev.millrace.udfs.group;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.udfs.Vectors;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MixedOrderTest {
    @Test
    void putsTasksNearestToAnEvenChanceFirst() {
        JsonNode vector = Vectors.get("mixed_order_n8");
        Map<String, Integer> solved = new HashMap<>();
        vector.get("solved")
                .properties()
                .forEach(e -> solved.put(e.getKey(), e.getValue().asInt()));
        List<String> expected = new ArrayList<>();
        vector.get("selected").forEach(id -> expected.add(id.asText()));
        assertThat(MixedOrder.of(solved, 8)).isEqualTo(expected);
    }
}
