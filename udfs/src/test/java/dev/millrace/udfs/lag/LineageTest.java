package dev.millrace.udfs.lag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.udfs.model.PolicyVersion;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class LineageTest {
    private final Lineage lineage =
            new Lineage(List.of(new Fork(1, 0, 0), new Fork(2, 1, 5), new Fork(3, 1, 4)));

    private static PolicyVersion v(long epoch, long step) {
        return new PolicyVersion(epoch, step);
    }

    @Test
    void isTheDifferenceOfStepsWithinAnEpoch() {
        assertThat(lineage.lag(v(1, 7), v(1, 4))).isEqualTo(3);
    }

    @Test
    void goesBackToTheForkAndForthAgainForStepsThatWereLost() {
        assertThat(lineage.lag(v(2, 6), v(1, 7))).isEqualTo((6 - 5) + (7 - 5));
    }

    @Test
    void isTheDifferenceOfStepsForWhatBothHaveInCommon() {
        assertThat(lineage.lag(v(2, 6), v(1, 3))).isEqualTo(3);
        assertThat(lineage.lag(v(2, 6), v(0, 0))).isEqualTo(6);
    }

    @Test
    void goesThroughTheCommonParentOfTwoForks() {
        assertThat(lineage.lag(v(3, 6), v(2, 6))).isEqualTo((6 - 4) + (6 - 4));
        assertThat(lineage.lag(v(3, 6), v(2, 4))).isEqualTo(2);
    }

    @Test
    void knowsWhichStepsTheNewestEpochContinues() {
        assertThat(lineage.survivingSteps(1)).isEqualTo(4);
        assertThat(lineage.survivingSteps(2)).isEqualTo(-1);
        assertThat(lineage.survivingSteps(3)).isEqualTo(Long.MAX_VALUE);
        assertThat(lineage.contains(v(3, 6), v(1, 4))).isTrue();
        assertThat(lineage.contains(v(3, 6), v(1, 5))).isFalse();
    }

    @Test
    void theFirstAnnouncementOfAnEpochCounts() {
        lineage.add(new Fork(3, 2, 9));
        assertThat(lineage.survivingSteps(2)).isEqualTo(-1);
    }

    @Test
    void refusesAnEpochThatContinuesAYoungerOne() {
        assertThatThrownBy(() -> lineage.add(new Fork(4, 4, 0))).hasMessageContaining("epoch 4");
    }

    @Property
    void isNeverBelowZero(
            @ForAll @LongRange(min = 0, max = 4) long epoch,
            @ForAll @LongRange(min = 0, max = 9) long step,
            @ForAll @LongRange(min = 0, max = 4) long other,
            @ForAll @LongRange(min = 0, max = 9) long otherStep) {
        assertThat(lineage.lag(v(epoch, step), v(other, otherStep))).isNotNegative();
        assertThat(lineage.lag(v(epoch, step), v(epoch, step))).isZero();
    }
}
