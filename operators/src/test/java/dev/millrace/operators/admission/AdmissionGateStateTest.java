package dev.millrace.operators.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.operators.Golden;
import dev.millrace.operators.Samples;
import dev.millrace.udfs.admission.AdmissionSettings;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.StepAccounts;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdmissionGateStateTest {
    private static final int TASKS = 30_000;

    /** The backend's own files, some 100 KB, depend on what it has merged by then. */
    private static final long MUCH_LESS = 10L * TASKS;

    @TempDir private Path folder;

    @Test
    void aCheckpointWritesWhatHasChangedHoweverLargeTheCatalogueIs() throws Exception {
        long[] large = writtenAtEach(TASKS);
        assertThat(large[0]).as("the catalogue is written once").isGreaterThan(20L * TASKS);
        assertThat(large[1])
                .as("nothing happened: what any checkpoint of the backend writes")
                .isLessThan(MUCH_LESS);
        assertThat(large[2]).as("one group was closed").isLessThan(MUCH_LESS);
    }

    /** Bytes that checkpoints write after the catalogue, after nothing, and after a group. */
    private long[] writtenAtEach(int tasks) throws Exception {
        try (GateHarness gate = GateHarness.openOnDisk(GateHarness.settings(100, 100, 0), folder)) {
            for (int i = 0; i < tasks; i++) {
                gate.send("tasks", Samples.task("t" + i, Split.TRAIN));
            }
            gate.send("policies", Samples.published(1, 0, false));
            gate.caughtUp();
            long first = written(checkpoint(gate, 1));
            OperatorSubtaskState quiet = checkpoint(gate, 2);
            assertThat(stateOfTheOperator(quiet)).as("no second copy anywhere").isZero();
            gate.play(0, Samples.policy(1, 0), 1, 0);
            return new long[] {first, written(quiet), written(checkpoint(gate, 3))};
        }
    }

    @Test
    void theStateOfTheFirstVersionIsReadForEver() throws Exception {
        AdmissionSettings settings = GateHarness.settings(6, 100, 4);
        OperatorSubtaskState later;
        try (GateHarness gate = GateHarness.open(settings, Golden.state("gate"))) {
            goesOnFromTheFirstVersion(gate);
            later = gate.snapshot(1, 1);
            assertThat(stateOfTheOperator(later)).as("it is taken over once").isZero();
        }
        try (GateHarness gate = GateHarness.open(settings, later)) {
            gate.caughtUp();
            assertThat(gate.groups()).as("groups 3 to 7 are known").isEmpty();
            gate.play(7, Samples.policy(1, 1), 1, 1);
            assertThat(gate.groups()).containsExactly("run/g8");
        }
    }

    /** Groups 0 and 2 are in step 1, 1 is constant; 3 to 6 are open; the first round is over. */
    private static void goesOnFromTheFirstVersion(GateHarness gate) throws Exception {
        gate.caughtUp();
        assertThat(gate.groups()).isEmpty();
        gate.send("groups", Samples.group(3, Samples.policy(1, 0), 1, 1));
        assertThat(gate.groups()).containsExactly("run/g7");
        Set<String> tasks = new HashSet<>();
        gate.extractOutputValues().stream()
                .map(Admission::task)
                .forEach(task -> tasks.add(task.taskId()));
        assertThat(tasks).as("the catalogue is there").isSubsetOf("t0", "t1", "t2");
        gate.send("policies", Samples.announced(2, 1, 1));
        gate.send("policies", Samples.published(2, 1, false));
        StepAccounts accounts = gate.balances().get(0).accounts();
        assertThat(accounts.violations()).isEmpty();
        assertThat(accounts.offered()).isEqualTo(8);
        assertThat(accounts.trained()).isEqualTo(2);
        assertThat(accounts.dropped()).containsEntry("constant_reward", 2L);
        assertThat(accounts.open()).isEqualTo(4);
    }

    private static OperatorSubtaskState checkpoint(GateHarness gate, long id) throws Exception {
        OperatorSubtaskState state = gate.snapshot(id, id);
        gate.notifyOfCompletedCheckpoint(id);
        return state;
    }

    /** Bytes that a checkpoint had to write. */
    private static long written(OperatorSubtaskState state) {
        return state.getManagedKeyedState().stream()
                .mapToLong(KeyedStateHandle::getCheckpointedSize)
                .sum();
    }

    private static long stateOfTheOperator(OperatorSubtaskState state) {
        return state.getManagedOperatorState().stream()
                .map(OperatorStateHandle::getStateNameToPartitionOffsets)
                .filter(names -> names.containsKey("book"))
                .mapToLong(names -> names.get("book").getOffsets().length)
                .sum();
    }
}
