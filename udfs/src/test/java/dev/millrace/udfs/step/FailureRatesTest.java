package dev.millrace.udfs.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailureRatesTest {
    private final FailureRates rates = new FailureRates();
    private final List<FailureRates.Alarm> alarms = new ArrayList<>();

    /** Every so many effects one fails. */
    private void effects(int count, int every, String cause) {
        for (int i = 1; i <= count; i++) {
            rates.ended(i % every == 0 ? cause : "").ifPresent(alarms::add);
        }
    }

    @Test
    void oneInAHundredIsSaidOnce() {
        effects(5_000, 100, "logprobs_unusable");
        assertThat(alarms).containsExactly(new FailureRates.Alarm("logprobs_unusable", 10, 1_000));
    }

    @Test
    void oneInTwoHundredIsNotSaid() {
        effects(5_000, 200, "logprobs_unusable");
        assertThat(alarms).isEmpty();
    }

    @Test
    void itIsSaidAgainAfterItHasBeenRare() {
        effects(200, 10, "logprobs_unusable");
        effects(1_000, 1_001, "");
        effects(200, 10, "logprobs_unusable");
        assertThat(alarms).hasSize(2);
    }

    @Test
    void causesAreCountedApart() {
        for (int i = 0; i < 9; i++) {
            rates.ended("a").ifPresent(alarms::add);
            rates.ended("b").ifPresent(alarms::add);
        }
        assertThat(alarms).isEmpty();
    }
}
