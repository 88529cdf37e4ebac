package dev.millrace.operators.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.operators.Golden;
import dev.millrace.operators.topic.Routes;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.StepEvent;
import java.util.List;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.junit.jupiter.api.Test;

class DurableStepGoldenTest {
    private static final List<String> ROUTES = Routes.keys(StepHarness.MAX_PARALLELISM);

    /** Item 0 has played one step of 3, 1 waits to be read back, 2 is over, 3 has not come in. */
    @Test
    void theStateIsReadForEver() throws Exception {
        try (StepHarness stage = StepHarness.create(1, 0)) {
            stage.setStateBackend(new HashMapStateBackend());
            stage.initializeState(Golden.state("durable-step"));
            stage.open();
            stage.caughtUp(ROUTES.get(0));
            assertThat(stage.started).containsOnlyKeys("run/g0/a0#s1", "run/g3/a0#s0");
            assertThat(stage.appended).extracting(StepEvent::itemId).containsExactly("run/g1/a0");
            stage.arrive(item(2, 1));
            stage.arrive(item(3, 2));
            assertThat(stage.appended).as("both are known").hasSize(1);
            stage.complete(item(0, 3), 1);
            stage.readBackAll();
            stage.complete(item(0, 3), 2);
            stage.complete(item(1, 1), 0);
            stage.complete(item(3, 2), 0);
            stage.readBackAll();
            stage.complete(item(3, 2), 1);
            stage.readBackAll();
            assertThat(stage.extractOutputValues())
                    .extracting(f -> f.admission().attemptId())
                    .containsExactlyInAnyOrder("run/g0/a0", "run/g1/a0", "run/g3/a0");
            stage.endKeyedInput();
        }
    }

    private static Admission item(int index, int steps) {
        return CountingMachine.item(
                StepHarness.RUN, index, steps, Lane.TRAIN, ROUTES.get(index % ROUTES.size()));
    }
}
