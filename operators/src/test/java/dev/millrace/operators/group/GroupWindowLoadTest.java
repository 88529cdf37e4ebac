package dev.millrace.operators.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.operators.Samples;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.GradedAttempt;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.Spoken;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What many groups leave behind, and what is said about them. */
class GroupWindowLoadTest {
    private static final OutputTag<Reject> REJECTS = new OutputTag<>("rejects") {};
    private static final int TOMBSTONE = 500;
    private KeyedOneInputStreamOperatorTestHarness<String, GradedAttempt, GroupRecord> harness;

    @BeforeEach
    void open() throws Exception {
        harness =
                new KeyedOneInputStreamOperatorTestHarness<>(
                        new KeyedProcessOperator<>(
                                new GroupWindow(
                                        new GroupWindowSettings(1_000, TOMBSTONE, 2), REJECTS)),
                        graded -> graded.attempt().admission().groupId(),
                        Types.STRING);
        harness.open();
    }

    @AfterEach
    void close() throws Exception {
        harness.close();
    }

    private void play(long group, int attempt, Spoken spoken) throws Exception {
        GradedAttempt graded = Samples.graded(Samples.admission(group, attempt, 4, "adm"), attempt);
        FinishedAttempt f = graded.attempt();
        FinishedAttempt said =
                new FinishedAttempt(
                        f.admission(),
                        f.outcome(),
                        null,
                        null,
                        f.trajectory(),
                        f.turns(),
                        f.generatedTokens(),
                        f.totalTokens(),
                        f.oldestVersion(),
                        f.runningMillis(),
                        1,
                        spoken);
        harness.processElement(
                new StreamRecord<>(
                        new GradedAttempt(said, true, graded.reward(), null, List.of(), 1)));
    }

    private void play(long group) throws Exception {
        for (int attempt = 0; attempt < 4; attempt++) {
            play(group, attempt, new Spoken(group + "/" + attempt, -20));
        }
    }

    @Test
    void whatIsKeptStaysFlatOverTwentyThousandGroups() throws Exception {
        int warm = 0;
        for (int group = 0; group < 20_000; group++) {
            harness.setProcessingTime(group);
            play(group);
            if (group == 2 * TOMBSTONE) {
                warm = harness.numKeyedStateEntries();
            }
        }
        assertThat(warm).isEqualTo(TOMBSTONE);
        assertThat(harness.numKeyedStateEntries()).isEqualTo(warm);
        assertThat(harness.numProcessingTimeTimers()).isEqualTo(TOMBSTONE);
        assertThat(harness.getSideOutput(REJECTS)).isNull();
    }

    @Test
    void aGroupWhoseAttemptsAllSaidTheSameIsNamed() throws Exception {
        play(1);
        for (int attempt = 0; attempt < 4; attempt++) {
            play(2, attempt, new Spoken("same", -20));
        }
        assertThat(harness.extractOutputValues()).hasSize(2);
        assertThat(harness.getSideOutput(REJECTS))
                .extracting(record -> record.getValue().reason() + " " + record.getValue().key())
                .containsExactly("equal_attempts run/g2");
    }
}
