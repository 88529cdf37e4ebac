package dev.millrace.operators.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.operators.topic.Routes;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.StepEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurableStepRestoreTest {
    private static final List<String> ROUTES = Routes.keys(StepHarness.MAX_PARALLELISM);

    @Test
    void everyOpeningHasAHigherFenceAndReapsWhatNoOpenItemHolds() throws Exception {
        Admission open = item(0, 3);
        OperatorSubtaskState snapshot;
        long first;
        try (StepHarness stage = start("hashmap", 1, 0, null)) {
            first = stage.fence();
            stage.caughtUp(ROUTES.get(0));
            assertThat(stage.reaped()).containsExactly("run []");
            stage.arrive(open);
            stage.readBackAll();
            snapshot = stage.snapshot(1, 1);
        }
        try (StepHarness stage = start("hashmap", 1, 0, snapshot)) {
            assertThat(stage.fence()).isGreaterThan(first);
            assertThat(stage.reaped()).isEmpty();
            stage.caughtUp(ROUTES.get(0));
            assertThat(stage.reaped()).containsExactly("run [run/g0/a0]");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hashmap", "rocksdb"})
    void goesOnWhereTheJournalLeftIt(String backend) throws Exception {
        Admission open = item(0, 3);
        Admission pending = item(1, 1);
        Admission finishing = item(2, 1);
        Admission later = item(3, 2);
        OperatorSubtaskState snapshot;
        try (StepHarness stage = start(backend, 1, 0, null)) {
            stage.caughtUp(ROUTES.get(0));
            stage.arrive(open);
            stage.arrive(finishing);
            stage.readBackAll();
            stage.complete(open, 0);
            stage.readBackAll();
            stage.arrive(pending);
            snapshot = stage.snapshot(1, 1);
        }
        try (StepHarness stage = start(backend, 1, 0, snapshot)) {
            stage.readBack(sampled(open, 1));
            stage.readBack(sampled(finishing, 0));
            stage.readBack(admitted(later));
            stage.readBack(sampled(later, 0));
            assertThat(stage.started).isEmpty();
            assertThat(stage.appended).isEmpty();
            assertThat(ids(stage)).containsExactly("run/g2/a0");
            stage.caughtUp(ROUTES.get(0));
            assertThat(stage.started).containsOnlyKeys("run/g0/a0#s2", "run/g3/a0#s1");
            assertThat(stage.appended)
                    .extracting(StepEvent::itemId)
                    .containsExactly(pending.attemptId());
            stage.arrive(later);
            assertThat(stage.appended).hasSize(1);
            stage.complete(open, 2);
            stage.complete(later, 1);
            stage.readBackAll();
            stage.complete(pending, 0);
            stage.readBackAll();
            assertThat(ids(stage))
                    .containsExactlyInAnyOrder("run/g0/a0", "run/g1/a0", "run/g2/a0", "run/g3/a0");
            stage.endKeyedInput();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hashmap", "rocksdb"})
    void eachItemIsOnOneInstanceAfterRescaling(String backend) throws Exception {
        List<Admission> items = new ArrayList<>();
        OperatorSubtaskState snapshot;
        try (StepHarness stage = start(backend, 1, 0, null)) {
            stage.caughtUp(ROUTES.get(0));
            for (int i = 0; i < StepHarness.MAX_PARALLELISM; i += 8) {
                items.add(item(i, 2));
                stage.arrive(items.get(items.size() - 1));
            }
            stage.readBackAll();
            snapshot = stage.snapshot(1, 1);
        }
        List<String> restored = new ArrayList<>();
        for (int subtask = 0; subtask < 2; subtask++) {
            OperatorSubtaskState part =
                    AbstractStreamOperatorTestHarness.repartitionOperatorState(
                            snapshot, StepHarness.MAX_PARALLELISM, 1, 2, subtask);
            try (StepHarness stage = start(backend, 2, subtask, part)) {
                stage.caughtUp(routeOf(subtask));
                restored.addAll(stage.started.keySet());
            }
        }
        assertThat(restored)
                .containsExactlyInAnyOrderElementsOf(
                        items.stream().map(i -> i.attemptId() + "#s0").toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"hashmap", "rocksdb"})
    void theEndOfTrainingIsRemembered(String backend) throws Exception {
        Admission open = item(0, 3);
        OperatorSubtaskState snapshot;
        try (StepHarness stage = start(backend, 1, 0, null)) {
            stage.readBack(admitted(open));
            stage.policy(
                    new PolicyRecord(
                            StepHarness.RUN,
                            PolicyRecord.Kind.PUBLICATION,
                            1,
                            1,
                            0,
                            "n",
                            "u",
                            true,
                            Map.of()));
            assertThat(stage.appended).isEmpty();
            snapshot = stage.snapshot(1, 1);
        }
        try (StepHarness stage = start(backend, 1, 0, snapshot)) {
            stage.caughtUp(ROUTES.get(0));
            assertThat(stage.started).isEmpty();
            stage.readBackAll();
            assertThat(stage.extractOutputValues())
                    .extracting(FinishedAttempt::outcome)
                    .containsExactly(Outcome.CANCELLED);
        }
    }

    private static String routeOf(int subtask) {
        return ROUTES.stream()
                .filter(
                        r ->
                                KeyGroupRangeAssignment.assignKeyToParallelOperator(
                                                r, StepHarness.MAX_PARALLELISM, 2)
                                        == subtask)
                .findFirst()
                .orElseThrow();
    }

    private static StepHarness start(
            String backend, int parallelism, int subtask, OperatorSubtaskState state)
            throws Exception {
        StateBackend chosen =
                backend.equals("rocksdb")
                        ? new EmbeddedRocksDBStateBackend()
                        : new HashMapStateBackend();
        StepHarness stage = StepHarness.create(parallelism, subtask);
        stage.setStateBackend(chosen);
        if (state != null) {
            stage.initializeState(state);
        }
        stage.open();
        return stage;
    }

    private static List<String> ids(StepHarness stage) {
        return stage.extractOutputValues().stream().map(f -> f.admission().attemptId()).toList();
    }

    private static Admission item(int index, int steps) {
        return CountingMachine.item(
                StepHarness.RUN, index, steps, Lane.TRAIN, ROUTES.get(index % ROUTES.size()));
    }

    private static StepEvent admitted(Admission item) {
        return new CountingMachine().admitted(item);
    }

    private static StepEvent sampled(Admission item, int step) {
        return CountingMachine.event(item, CountingMachine.effectId(step), StepEvent.Kind.SAMPLED);
    }
}
