package dev.millrace.operators.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.operators.Samples;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Verdict;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A gate whose groups lose all their attempts: four are open at most. */
class AdmissionGateOutageTest {
    private static final Failure LOST =
            new Failure(FailureClass.INFRA, "sandbox_create_failed", "no");
    private GateHarness gate;

    @AfterEach
    void close() throws Exception {
        gate.close();
    }

    private void open(OperatorSubtaskState state, long now) throws Exception {
        gate = GateHarness.open(GateHarness.settings(100, 100, 0), state);
        gate.setProcessingTime(now);
    }

    private void lose(long index) throws Exception {
        String id = Samples.RUN + "/g" + index;
        List<AttemptSummary> attempts =
                IntStream.range(0, 2)
                        .mapToObj(
                                i ->
                                        new AttemptSummary(
                                                Admission.attemptId(id, i),
                                                i,
                                                Outcome.LOST,
                                                false,
                                                0,
                                                LOST,
                                                List.of(),
                                                null,
                                                0,
                                                0,
                                                0,
                                                Samples.policy(1, 0).version(),
                                                0,
                                                0,
                                                3))
                        .toList();
        for (Admission attempt : gate.attempts(index)) {
            gate.send("turns", Samples.journaled(attempt));
            gate.send("turns", Samples.ended(attempt, StepEvent.Kind.CANCELLED));
        }
        gate.send(
                "groups",
                new GroupRecord(
                        Samples.RUN,
                        false,
                        Lane.TRAIN,
                        id,
                        index,
                        "adm-" + index,
                        Samples.task("t", Split.TRAIN),
                        Samples.policy(1, 0),
                        "",
                        false,
                        Verdict.FAILED,
                        "too_few_valid",
                        0,
                        attempts));
    }

    private void loseFour() throws Exception {
        open(null, 1_000);
        gate.send("tasks", Samples.task("t", Split.TRAIN));
        gate.send("policies", Samples.published(1, 0, false));
        gate.caughtUp();
        for (int index = 0; index < 4; index++) {
            lose(index);
        }
    }

    @Test
    void itWakesByItselfToTryOneGroupAndWaitsLongerWhenThatIsLostToo() throws Exception {
        loseFour();
        int before = gate.groups().size();
        assertThat(gate.rejects()).extracting(Reject::reason).contains("infrastructure_away");
        for (long index = 4; index < before; index++) {
            lose(index);
        }
        assertThat(gate.groups()).as("it waits").hasSize(before);
        gate.setProcessingTime(2_000);
        assertThat(gate.groups()).as("one is tried").hasSize(before + 1);
        lose(before);
        gate.setProcessingTime(3_999);
        assertThat(gate.groups()).as("it waits twice as long").hasSize(before + 1);
        gate.setProcessingTime(4_000);
        assertThat(gate.groups()).hasSize(before + 2);
    }

    @Test
    void aRestoredGateWakesTooAndGoesOnOnceAGroupGetsThrough() throws Exception {
        loseFour();
        int before = gate.groups().size();
        for (long index = 4; index < before; index++) {
            lose(index);
        }
        OperatorSubtaskState state = gate.snapshot(1, 1);
        gate.close();
        open(state, 1_500);
        gate.caughtUp();
        assertThat(gate.groups()).isEmpty();
        gate.setProcessingTime(2_000);
        assertThat(gate.groups()).containsExactly("run/g" + before);
        gate.play(before, Samples.policy(1, 0), 1, 1);
        assertThat(gate.groups()).hasSize(1 + 4);
    }
}
