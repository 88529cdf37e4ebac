package dev.millrace.operators.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.operators.Golden;
import dev.millrace.operators.Samples;
import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.GradedAttempt;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Reject;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GroupWindowGoldenTest {
    private static final OutputTag<Reject> REJECTS = new OutputTag<>("rejects") {};
    private KeyedOneInputStreamOperatorTestHarness<String, GradedAttempt, GroupRecord> harness;

    @BeforeEach
    void restore() throws Exception {
        GroupWindow window = new GroupWindow(new GroupWindowSettings(1000, 500, 2), REJECTS);
        harness =
                new KeyedOneInputStreamOperatorTestHarness<>(
                        new KeyedProcessOperator<>(window),
                        graded -> graded.attempt().admission().groupId(),
                        Types.STRING);
        harness.setProcessingTime(10_000);
        harness.initializeState(Golden.state("group-window"));
        harness.open();
    }

    @AfterEach
    void close() throws Exception {
        harness.close();
    }

    private void play(long group, int attempt) throws Exception {
        harness.processElement(
                new StreamRecord<>(Samples.graded(Samples.admission(group, attempt, 3, "adm"), 1)));
    }

    @Test
    void theAttemptsOfAnOpenGroupAreReadForEver() throws Exception {
        play(1, 1);
        GroupRecord group = harness.extractOutputValues().get(0);
        assertThat(group.groupId()).isEqualTo("run/g1");
        assertThat(group.attempts())
                .extracting(AttemptSummary::reward)
                .containsExactly(0.0, 1.0, 1.0);
    }

    @Test
    void theDeadlineOfAnOpenGroupGoesOnInRunningTime() throws Exception {
        harness.setProcessingTime(10_700);
        assertThat(harness.extractOutputValues()).isEmpty();
        harness.setProcessingTime(10_900);
        assertThat(harness.extractOutputValues()).hasSize(1);
    }

    @Test
    void aClosedGroupStaysClosed() throws Exception {
        play(0, 1);
        assertThat(harness.extractOutputValues()).isEmpty();
    }
}
