package dev.millrace.bench.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WorkloadTest {
    private static final Workload SWE_H = Workload.sweH(7);

    @Test
    void givesTheSameTraceWhateverTheOrderOfCalls() {
        List<int[]> calls = new ArrayList<>();
        for (int attempt = 0; attempt < 40; attempt++) {
            for (int turn = 0; turn < 5; turn++) {
                calls.add(new int[] {attempt, turn});
            }
        }
        Map<List<Integer>, String> first = trace(calls);
        Collections.shuffle(calls, new Random(3));
        assertThat(trace(calls)).isEqualTo(first).hasSize(200);
        assertThat(first.values()).doesNotHaveDuplicates();
    }

    @Test
    void anotherSeedIsAnotherTrace() {
        assertThat(drawn(Workload.sweH(8), 1, 1)).isNotEqualTo(drawn(SWE_H, 1, 1));
    }

    @Test
    void hasTheDistributionsOfItsDescription() {
        double reward =
                LongStream.range(0, 8000)
                        .mapToDouble(a -> SWE_H.solved((int) (a / 4), a) ? 1 : 0)
                        .average()
                        .orElseThrow();
        assertThat(reward).isCloseTo(0.31, within(0.04));
        double[] turns =
                LongStream.range(0, 4001).mapToDouble(a -> SWE_H.turns(0, a)).sorted().toArray();
        assertThat(turns[2000]).isCloseTo(22, within(1.5));
        assertThat(turns[3800]).isCloseTo(54, within(5.0));
        double tokens =
                LongStream.range(0, 4000)
                        .mapToDouble(a -> SWE_H.turnTokens(a, 0))
                        .average()
                        .orElseThrow();
        assertThat(tokens).isCloseTo(270, within(25.0));
        double grading =
                LongStream.range(0, 4000).mapToDouble(SWE_H::gradingMillis).average().orElseThrow();
        assertThat(grading).isCloseTo(67_000, within(8_000.0));
    }

    @Test
    void endsEveryAttemptWithAFinalTurn() {
        for (long attempt = 0; attempt < 200; attempt++) {
            int turns = SWE_H.turns(3, attempt);
            assertThat(SWE_H.kind(3, attempt, turns - 1)).isEqualTo(Workload.Kind.FINAL);
            assertThat(SWE_H.kind(3, attempt, 0)).isNotEqualTo(Workload.Kind.FINAL);
        }
    }

    private static Map<List<Integer>, String> trace(List<int[]> calls) {
        Map<List<Integer>, String> trace = new HashMap<>();
        for (int[] call : calls) {
            trace.put(List.of(call[0], call[1]), drawn(SWE_H, call[0], call[1]));
        }
        return trace;
    }

    private static String drawn(Workload workload, long attempt, int turn) {
        return workload.turns(5, attempt)
                + " "
                + workload.kind(5, attempt, turn)
                + " "
                + workload.sampleMillis(attempt, turn)
                + " "
                + workload.toolMillis(attempt, turn)
                + " "
                + workload.observationTokens(attempt, turn)
                + " "
                + workload.gradingMillis(attempt)
                + " "
                + workload.startMillis("run/g1/a" + attempt + "/t1");
    }

    @Test
    void thePaceShortensAllTimesAndChangesNothingElse() {
        Workload small = Workload.small(7);
        Workload quick = Workload.named("quick", 7);
        assertThat(quick.turns(3, 5)).isEqualTo(small.turns(3, 5));
        assertThat(quick.turnTokens(5, 1)).isEqualTo(small.turnTokens(5, 1));
        assertThat(quick.gradingMillis(5)).isLessThan(small.gradingMillis(5) / 20);
        assertThat(quick.sampleMillis(5, 1)).isLessThan(small.sampleMillis(5, 1) / 20);
        assertThat(quick.trainerMillis(40_000)).isEqualTo(1600);
    }

    @Test
    void refusesAWorkloadThatThereIsNot() {
        assertThatThrownBy(() -> Workload.named("slow", 1)).hasMessageContaining("swe-h");
    }
}
