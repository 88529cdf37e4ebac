package dev.millrace.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.StepEvent.Kind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SlotUseTest {
    private static final List<String> RUNS = List.of("run-1", "run-2");
    private final SlotUse use = new SlotUse();

    @Test
    void anAttemptHoldsItsSlotFromAdmissionToItsEnd() {
        admit("a", "run-1", 1_000);
        use.add(event("rollout", "a", Kind.SAMPLED), 2_000);
        use.add(event("rollout", "a", Kind.CAPTURED), 5_000);
        use.add(event("grading", "a", Kind.FAILED), 6_000);
        assertThat(use.between(RUNS, 0, 10_000)).isEqualTo(Map.of("run-1", 4_000L, "run-2", 0L));
    }

    @Test
    void onlyTheTimeWithinTheWindowCounts() {
        admit("a", "run-1", 1_000);
        admit("b", "run-2", 4_000);
        use.add(event("rollout", "a", Kind.CANCELLED), 6_000);
        assertThat(use.between(RUNS, 3_000, 7_000))
                .isEqualTo(Map.of("run-1", 3_000L, "run-2", 3_000L));
        assertThat(use.between(RUNS, 7_000, 8_000)).isEqualTo(Map.of("run-1", 0L, "run-2", 1_000L));
    }

    @Test
    void whatIsSaidTwiceCountsOnce() {
        admit("a", "run-1", 1_000);
        admit("a", "run-1", 3_000);
        use.add(event("rollout", "a", Kind.FAILED), 4_000);
        use.add(event("rollout", "a", Kind.CANCELLED), 9_000);
        assertThat(use.between(RUNS, 0, 10_000)).isEqualTo(Map.of("run-1", 3_000L, "run-2", 0L));
    }

    private void admit(String attempt, String run, long at) {
        Admission admission =
                new Admission(run, Lane.TRAIN, "g0", 0, "x", 1, 0, "r", null, null, 1, 0, "", null);
        use.add(event("rollout", attempt, Kind.ADMITTED).with(admission), at);
    }

    private static StepEvent event(String stage, String attempt, Kind kind) {
        return StepEvent.of(stage, "r", attempt, "x", kind.name(), kind, 0);
    }
}
