package dev.millrace.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClientsReportTest {
    @Test
    void saysHowFarARunIsFromTheMeanAndWhatTheLastOneGot() throws Exception {
        ClientsReport report =
                new ClientsReport(
                        20, 60_000, Map.of("a", 570_000L, "b", 630_000L), 30_000, 588_000);
        assertThat(report.difference()).isCloseTo(0.05, within(1e-9));
        assertThat(report.usedTogether()).isCloseTo(1, within(1e-9));
        assertThat(report.shareAlone()).isCloseTo(0.98, within(1e-9));
        assertThat(report.faults()).isEmpty();
        var json = new ObjectMapper().readTree(report.json());
        assertThat(json.path("slotSeconds").path("a").asLong()).isEqualTo(570);
        assertThat(json.path("mostFromMean").asDouble()).isEqualTo(0.05);
        assertThat(json.path("aloneShare").asDouble()).isEqualTo(0.98);
    }

    @Test
    void namesWhatIsNotAsItHasToBe() {
        ClientsReport report =
                new ClientsReport(
                        20, 60_000, Map.of("a", 500_000L, "b", 700_000L), 30_000, 530_000);
        assertThat(report.faults())
                .containsExactly(
                        "a run is further than 10 % from the mean",
                        "the run that was alone had less than 90 % of the slots");
    }

    @Test
    void aRunThatNothingIsKnownOfIsNoSuccess() {
        assertThat(new ClientsReport(20, 60_000, Map.of(), 0, 0).faults()).isNotEmpty();
    }
}
