package dev.millrace.operators.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.operators.topic.Routes;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.Lane;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

/** A stage that is restored with other parallelism again and again, with items open and coming. */
class DurableStepRescaleTest {
    private static final List<String> ROUTES = Routes.keys(StepHarness.MAX_PARALLELISM);
    private static final int ROUNDS = 20;
    private static final int NEW_ITEMS = 40;

    private final SplittableRandom random = new SplittableRandom(5);
    private final Map<String, Admission> items = new TreeMap<>();
    private final Map<String, Integer> results = new HashMap<>();

    /** Restores all subtasks, each from its part. */
    private static List<StepHarness> open(int parallelism, OperatorSubtaskState state, int before)
            throws Exception {
        List<StepHarness> stages = new ArrayList<>();
        for (int subtask = 0; subtask < parallelism; subtask++) {
            StepHarness stage = StepHarness.create(parallelism, subtask);
            if (state != null) {
                stage.initializeState(
                        AbstractStreamOperatorTestHarness.repartitionOperatorState(
                                state, StepHarness.MAX_PARALLELISM, before, parallelism, subtask));
            }
            stage.open();
            stage.caughtUp(routeOf(subtask, parallelism));
            stages.add(stage);
        }
        return stages;
    }

    private static int subtask(String route, int parallelism) {
        return KeyGroupRangeAssignment.assignKeyToParallelOperator(
                route, StepHarness.MAX_PARALLELISM, parallelism);
    }

    private static String routeOf(int subtask, int parallelism) {
        return ROUTES.stream()
                .filter(route -> subtask(route, parallelism) == subtask)
                .findFirst()
                .orElseThrow();
    }

    /** Some items come in, and some effects end. */
    private void load(List<StepHarness> stages, int round) throws Exception {
        for (int i = 0; i < NEW_ITEMS; i++) {
            int index = round * NEW_ITEMS + i;
            String route = ROUTES.get(random.nextInt(ROUTES.size()));
            Admission item =
                    CountingMachine.item(
                            StepHarness.RUN, index, 1 + random.nextInt(4), Lane.TRAIN, route);
            items.put(item.attemptId(), item);
            stages.get(subtask(route, stages.size())).arrive(item);
        }
        for (StepHarness stage : stages) {
            stage.readBackAll();
        }
        complete(stages, 0.5);
    }

    private void complete(List<StepHarness> stages, double share) throws Exception {
        for (StepHarness stage : stages) {
            for (String started : List.copyOf(stage.started.keySet())) {
                if (random.nextDouble() < share) {
                    int at = started.lastIndexOf("#s");
                    int step = Integer.parseInt(started.substring(at + 2));
                    stage.complete(items.get(started.substring(0, at)), step);
                }
            }
            stage.readBackAll();
        }
    }

    private void collect(List<StepHarness> stages) {
        for (StepHarness stage : stages) {
            for (FinishedAttempt result : stage.extractOutputValues()) {
                results.merge(result.admission().attemptId(), 1, Integer::sum);
            }
        }
    }

    private int open() {
        return items.size() - results.size();
    }

    @Test
    void everyItemAnswersOnceWhateverTheParallelismWas() throws Exception {
        OperatorSubtaskState state = null;
        int before = 0;
        for (int round = 0; round < ROUNDS; round++) {
            int parallelism = round % 2 == 0 ? 4 : 7;
            List<StepHarness> stages = open(parallelism, state, before);
            load(stages, round);
            List<OperatorSubtaskState> parts = new ArrayList<>();
            for (StepHarness stage : stages) {
                parts.add(stage.snapshot(round, round));
            }
            collect(stages);
            assertThat(open()).as("items are open at the savepoint").isPositive();
            for (StepHarness stage : stages) {
                stage.close();
            }
            state =
                    AbstractStreamOperatorTestHarness.repackageState(
                            parts.toArray(OperatorSubtaskState[]::new));
            before = parallelism;
        }
        List<StepHarness> last = open(4, state, before);
        while (last.stream().anyMatch(stage -> !stage.started.isEmpty())) {
            complete(last, 1);
        }
        collect(last);
        assertThat(results).hasSize(items.size());
        assertThat(results.values()).containsOnly(1);
        for (StepHarness stage : last) {
            stage.endKeyedInput();
            stage.close();
        }
    }

    @Test
    void eachSubtaskKeepsItsOwnItemsOnly() throws Exception {
        List<StepHarness> one = open(1, null, 0);
        for (int i = 0; i < 8 * StepHarness.MAX_PARALLELISM; i++) {
            Admission item =
                    CountingMachine.item(
                            StepHarness.RUN, i, 3, Lane.TRAIN, ROUTES.get(i % ROUTES.size()));
            items.put(item.attemptId(), item);
            one.get(0).arrive(item);
        }
        one.get(0).readBackAll();
        OperatorSubtaskState state = one.get(0).snapshot(1, 1);
        int whole = one.get(0).keptEntries();
        one.get(0).close();
        for (StepHarness stage : open(8, state, 1)) {
            assertThat(stage.keptEntries() * 8).isEqualTo(whole);
            stage.close();
        }
    }
}
