package dev.millrace.jobs.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class IntervalTest {

    @Test
    void agreesWithAHandComputedInterval() {
        // 8 of 10: (0.8 + 3.8415/20 -+ 1.96 sqrt(0.016 + 3.8415/400)) / 1.38415
        Interval interval = Interval.wilson(8, 10);
        assertThat(interval.low()).isCloseTo(0.4902, within(1e-4));
        assertThat(interval.high()).isCloseTo(0.9433, within(1e-4));
    }

    @Test
    void staysInsideTheUnitIntervalAtItsEnds() {
        assertThat(Interval.wilson(0, 20).low()).isZero();
        assertThat(Interval.wilson(0, 20).high()).isCloseTo(0.1611, within(1e-4));
        assertThat(Interval.wilson(20, 20).high()).isCloseTo(1, within(1e-12));
        assertThat(Interval.wilson(20, 20).low()).isCloseTo(0.8389, within(1e-4));
    }

    @Test
    void needsAttempts() {
        assertThatThrownBy(() -> Interval.wilson(0, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
