package dev.millrace.pipeline.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.port.Datum;
import dev.millrace.pipeline.topology.TrainedData.Attempt;
import dev.millrace.udfs.model.Trajectory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The comparison finds each thing that it is there to find. */
class TrainedDataTest {
    /** A mean of 1/3, a deviation of the root of 1/3: three tokens share each weight. */
    private static final double RIGHT = 2.0 / 3 / (Math.sqrt(1.0 / 3) + 1e-6) / 3;

    private static final double WRONG = -1.0 / 3 / (Math.sqrt(1.0 / 3) + 1e-6) / 3;

    private static Attempt attempt(int index, boolean touched, double reward) {
        float logprob = -0.1f * (index + 1);
        Trajectory trajectory =
                new Trajectory(
                        "r/g0/a" + index,
                        "adm",
                        new int[] {7, 1, 9},
                        new byte[] {0, 1, 0},
                        new float[] {0, logprob, 0},
                        List.of());
        return new Attempt("r/g0", "r/g0/a" + index, touched, reward, trajectory);
    }

    private static Datum datum(int index, double weight) {
        float logprob = -0.1f * (index + 1);
        return new Datum(new int[] {7, 1}, new float[] {0, (float) weight}, floats(logprob));
    }

    private static float[] floats(float logprob) {
        return new float[] {0, logprob};
    }

    private static final List<Attempt> GROUP =
            List.of(attempt(0, false, 1), attempt(1, false, 0), attempt(2, false, 0));

    private static List<String> violations(List<Attempt> attempts, Datum... data) {
        return new TrainedData(attempts).violations(List.of(List.of(data)));
    }

    @Test
    void untouchedAttemptsWithTheirOwnStatisticsAreAllRight() {
        assertThat(violations(GROUP, datum(0, RIGHT), datum(1, WRONG), datum(2, WRONG))).isEmpty();
        assertThat(new TrainedData(GROUP).mean("r/g0")).isEqualTo(1.0 / 3);
    }

    @Test
    void anAttemptThatAFailureTouchedIsFoundAmongThoseThatAreTrainedOn() {
        List<Attempt> attempts = new ArrayList<>(GROUP.subList(0, 2));
        attempts.add(attempt(2, true, 0));
        assertThat(violations(attempts, datum(0, RIGHT), datum(1, WRONG), datum(2, WRONG)))
                .contains("r/g0/a2 was touched and is trained on");
    }

    @Test
    void statisticsThatATouchedAttemptIsPartOfAreFound() {
        List<Attempt> attempts = new ArrayList<>(GROUP);
        attempts.add(attempt(3, true, 0));
        double ofAllFour = 0.75 / (0.5 + 1e-6) / 3;
        assertThat(violations(attempts, datum(0, ofAllFour), datum(1, WRONG), datum(2, WRONG)))
                .containsExactly("r/g0/a0 has another weight");
    }

    @Test
    void anAttemptThatIsLeftOutIsFound() {
        assertThat(violations(GROUP, datum(0, RIGHT), datum(1, WRONG)))
                .contains("r/g0/a2 was not touched and is left out");
    }

    @Test
    void aDatumOfNoAttemptIsFound() {
        assertThat(violations(GROUP, datum(8, RIGHT))).containsExactly("a datum of no attempt");
    }
}
