package dev.millrace.bench.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class StartTimesTest {
    @Test
    void comparesMedians() throws Exception {
        StartTimes times = new StartTimes();
        times.add(4_000_000, 9_000_000, 500_000);
        times.add(2_000_000, 6_000_000, 1_000_000);
        times.add(3_000_000, 90_000_000, 1_500_000);
        JsonNode json = new ObjectMapper().readTree(times.json());
        assertThat(json.path("rounds").asInt()).isEqualTo(3);
        assertThat(json.path("bubblewrapAloneP50Millis").asDouble()).isEqualTo(3);
        assertThat(json.path("freshToAlone").asDouble()).isEqualTo(3);
        assertThat(json.path("preparedToAlone").asDouble()).isEqualTo(0.333);
        assertThat(times.lines().get(1)).contains("p50     9.00 ms", "max    90.00 ms");
    }
}
