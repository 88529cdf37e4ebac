package dev.millrace.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {
    @Test
    void saysHowLongTheRestTakesAtThePaceSoFar() {
        assertThat(new Pace(0, 100, 200).at(751_000, 25, 50))
                .isEqualTo("12:31, step 50 of 200, about 38 min left");
    }

    @Test
    void believesTheSlowerOfKillsAndSteps() {
        assertThat(new Pace(0, 100, 200).at(600_000, 50, 199)).endsWith("about 10 min left");
        assertThat(new Pace(0, 100, 200).at(600_000, 100, 99)).endsWith("about 10 min left");
    }

    @Test
    void guessesNothingBeforeTheFirstKill() {
        assertThat(new Pace(0, 100, 200).at(61_000, 0, 3)).isEqualTo("1:01, step 3 of 200");
    }

    @Test
    void goesByStepsWhereNothingIsKilled() {
        assertThat(new Pace(0, 0, 20).at(60_000, 0, 5)).endsWith("about 3 min left");
    }
}
