package dev.millrace.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SharesTest {
    @Test
    void wantsAFifthInCheckpointsAndATenthBeforeTheLastWasOvercome() {
        assertThat(new Shares(100, 20, 10).tooFew()).isEmpty();
        assertThat(new Shares(100, 19, 10).tooFew()).hasSize(1);
        assertThat(new Shares(100, 20, 9).tooFew())
                .containsExactly("20 of 100 in a checkpoint, 9 before the last was overcome");
    }

    @Test
    void wantsNothingOfAFewKills() {
        assertThat(new Shares(4, 0, 0).tooFew()).isEmpty();
    }
}
