package dev.millrace.udfs.seed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SeedsTest {
    @Test
    void differForEveryRunGroupAttemptAndTurn() {
        Set<Long> seeds = new HashSet<>();
        for (long run = 0; run < 5; run++) {
            for (int group = 0; group < 20; group++) {
                for (int attempt = 0; attempt < 8; attempt++) {
                    long seed = Seeds.ofAttempt(run, "r/g" + group, attempt);
                    for (int turn = 0; turn < 10; turn++) {
                        seeds.add(Seeds.ofTurn(seed, turn));
                    }
                }
            }
        }
        assertThat(seeds).hasSize(5 * 20 * 8 * 10);
    }

    @Test
    void staysTheSameFromReleaseToRelease() {
        assertThat(Seeds.mix(0)).isEqualTo(0xe220a8397b1dcdafL);
        assertThat(Seeds.ofGroup(1, "a")).isEqualTo(Seeds.mix(Seeds.mix(1) ^ 0xaf63dc4c8601ec8cL));
    }
}
