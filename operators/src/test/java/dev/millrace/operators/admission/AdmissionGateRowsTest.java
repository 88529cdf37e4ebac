package dev.millrace.operators.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.operators.Samples;
import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.udfs.admission.AdmissionSettings;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.RowDemand;
import dev.millrace.udfs.model.RowPosition;
import java.util.List;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.junit.jupiter.api.Test;

/** Training tasks that come as rows of a topic. */
class AdmissionGateRowsTest {
    private static final int AHEAD = 6;
    private static final AdmissionSettings SETTINGS =
            GateHarness.settings(100, 100, 0).withRows(AHEAD);

    private static GateHarness begun() throws Exception {
        GateHarness gate = GateHarness.open(SETTINGS, null);
        gate.send("policies", Samples.announced(1, 0, 0));
        gate.send("policies", Samples.published(1, 0, false));
        return gate;
    }

    private static List<String> tasks(GateHarness gate) {
        return gate.extractOutputValues().stream()
                .filter(admission -> admission.attemptIndex() == 0)
                .map(Admission::task)
                .map(task -> task.taskId())
                .toList();
    }

    @Test
    void asksForRowsOnceItHasHeardItsTopicsAndPlaysThemAsTheyCome() throws Exception {
        try (GateHarness gate = begun()) {
            assertThat(gate.demands()).isEmpty();
            gate.caughtUp();
            assertThat(gate.demands()).containsExactly(new RowDemand(List.of(), AHEAD));
            assertThat(tasks(gate)).isEmpty();
            gate.row(1, 5, "a");
            gate.row(0, 9, "b");
            assertThat(tasks(gate)).containsExactly("a", "b");
            assertThat(gate.demands())
                    .last()
                    .isEqualTo(
                            new RowDemand(
                                    List.of(new RowPosition(0, 16), new RowPosition(1, 12)),
                                    AHEAD));
        }
    }

    @Test
    void aRecordThatIsNoTaskIsADeadLetterWithItsPlace() throws Exception {
        try (GateHarness gate = begun()) {
            gate.caughtUp();
            gate.row(2, 40, "bad");
            gate.row(2, 41, "a");
            assertThat(tasks(gate)).containsExactly("a");
            assertThat(gate.rejects())
                    .containsExactly(
                            new Reject(
                                    Samples.RUN,
                                    "tasks",
                                    "malformed_task_row",
                                    "rows/2@40",
                                    "'metadata' is missing"));
        }
    }

    @Test
    void aRestoredGateGoesOnInTheOrderOfArrival() throws Exception {
        OperatorSubtaskState state;
        try (GateHarness gate = begun()) {
            gate.caughtUp();
            for (int i = 0; i < 3; i++) {
                gate.row(1, i, "p1-" + i);
                gate.row(0, i, "p0-" + i);
            }
            assertThat(tasks(gate)).containsExactly("p1-0", "p0-0", "p1-1", "p0-1");
            for (Admission admission : List.copyOf(gate.extractOutputValues())) {
                gate.send("turns", Samples.journaled(admission));
            }
            state = gate.snapshot(1, 1);
        }
        try (GateHarness gate = GateHarness.open(SETTINGS, state)) {
            gate.row(0, 2, "read again");
            gate.caughtUp();
            assertThat(gate.demands()).hasSize(1);
            gate.play(0, Samples.policy(1, 0), 1, 1);
            gate.play(1, Samples.policy(1, 0), 1, 1);
            gate.row(0, 3, "p0-3");
            gate.play(2, Samples.policy(1, 0), 1, 1);
            assertThat(tasks(gate)).containsExactly("p1-2", "p0-2", "p0-3");
        }
    }

    @Test
    void aDemandThatCanNotBeReadIsADeadLetter() throws Exception {
        try (GateHarness gate = begun()) {
            gate.processElement(
                    new StreamRecord<>(
                            TopicRecord.data(
                                    "tasks", 0, 7, RowDemand.key(Samples.RUN), new byte[] {'?'})));
            assertThat(gate.rejects())
                    .singleElement()
                    .satisfies(
                            reject -> {
                                assertThat(reject.reason()).isEqualTo("unreadable");
                                assertThat(reject.key()).isEqualTo("tasks/0@7");
                            });
        }
    }

    @Test
    void rowsGoToOneRunAlone() {
        RunShare share = new RunShare(SETTINGS, 1);
        assertThatThrownBy(() -> GateHarness.open(List.of(share, share), null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("played by one run");
    }
}
