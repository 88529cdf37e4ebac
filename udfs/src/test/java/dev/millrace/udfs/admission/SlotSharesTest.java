package dev.millrace.udfs.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.assertj.core.data.Offset;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class SlotSharesTest {
    private static final long MINUTE = 60_000;
    private static final double[] EQUAL = {1, 1, 1, 1, 1, 1, 1, 1};

    /** Eight runs of groups of 8; attempts of the last run take three times as long on average. */
    @Property(tries = 20)
    void slotTimeIsEqualInEveryTenMinutes(
            @ForAll long seed, @ForAll @DoubleRange(min = 20, max = 300) double seconds) {
        SlotSimulation job = new SlotSimulation(256, 8, seed, EQUAL);
        for (int run = 0; run < 8; run++) {
            job.play(run, seconds * (1 + run * 2 / 7.0));
        }
        for (int window = 0; window < 12; window++) {
            double[] used = job.go(10 * MINUTE);
            double mean = Arrays.stream(used).sum() / 8;
            for (double ofRun : used) {
                assertThat(ofRun).isCloseTo(mean, Percentage.withPercentage(10));
            }
        }
    }

    @Property(tries = 20)
    void slotTimeFollowsTheWeights(@ForAll long seed, @ForAll @IntRange(min = 2, max = 5) int n) {
        SlotSimulation job = new SlotSimulation(256, 4, seed, n, 1, 1);
        for (int run = 0; run < 3; run++) {
            job.play(run, 100);
        }
        double[] used = job.go(60 * MINUTE);
        assertThat(used[0] / Arrays.stream(used).sum())
                .isCloseTo(n / (n + 2.0), Offset.offset(0.05));
    }

    @Property(tries = 20)
    void aRunThatIsAloneHasAllSlots(@ForAll long seed) {
        SlotSimulation job = new SlotSimulation(64, 8, seed, EQUAL);
        job.play(5, 200);
        double[] used = job.go(10 * MINUTE);
        assertThat(used[5]).isGreaterThanOrEqualTo(0.9 * 64 * 10 * MINUTE);
    }

    @Property(tries = 20)
    void whoWasAloneDoesNotPayForItForLong(@ForAll long seed) {
        SlotSimulation job = new SlotSimulation(256, 8, seed, 1, 1);
        job.play(0, 100);
        job.go(600 * MINUTE);
        job.play(1, 100);
        job.go(30 * MINUTE);
        double[] used = job.go(10 * MINUTE);
        assertThat(used[0]).isCloseTo(used[1], Percentage.withPercentage(10));
    }

    @Property(tries = 20)
    void whatARunLeavesGoesToTheOthersAtOnce(@ForAll long seed) {
        SlotSimulation job = new SlotSimulation(256, 8, seed, EQUAL);
        for (int run = 0; run < 8; run++) {
            job.play(run, 100);
        }
        job.go(20 * MINUTE);
        job.end(3);
        double[] used = job.go(10 * MINUTE);
        assertThat(Arrays.stream(used).sum()).isGreaterThanOrEqualTo(256.0 * 10 * MINUTE);
    }

    @Test
    void nobodyWaitsAtFirst() {
        assertThat(new SlotShares(8, EQUAL).next()).isEqualTo(-1);
    }

    @Test
    void runsThatAreOwedTheSameTakeTurns() {
        SlotShares shares = new SlotShares(8, 1, 1, 1);
        for (int run = 0; run < 3; run++) {
            shares.note(run, 2, true);
        }
        assertThat(new int[] {shares.next(), shares.next(), shares.next(), shares.next()})
                .containsExactly(0, 1, 2, 0);
    }

    @Test
    void aClockThatGoesBackStandsStill() {
        SlotShares shares = new SlotShares(8, 1, 1);
        shares.note(0, 6, true);
        shares.note(1, 2, true);
        shares.pass(10_000);
        shares.pass(5_000);
        shares.note(0, 2, true);
        assertThat(shares.next()).as("nothing was paid yet").isZero();
        shares.note(0, 6, true);
        shares.pass(11_000);
        shares.note(0, 2, true);
        assertThat(shares.next()).as("the first has used more").isEqualTo(1);
    }
}
