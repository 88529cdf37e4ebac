package dev.millrace.operators.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.operators.Samples;
import dev.millrace.udfs.group.GroupVerdict;
import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.GradedAttempt;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.Verdict;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GroupWindowTest {
    private static final OutputTag<Reject> REJECTS = new OutputTag<>("rejects") {};
    private KeyedOneInputStreamOperatorTestHarness<String, GradedAttempt, GroupRecord> harness;

    @BeforeEach
    void open() throws Exception {
        harness = harness();
        harness.open();
    }

    @AfterEach
    void close() throws Exception {
        harness.close();
    }

    private static KeyedOneInputStreamOperatorTestHarness<String, GradedAttempt, GroupRecord>
            harness() throws Exception {
        GroupWindow window = new GroupWindow(new GroupWindowSettings(1000, 500, 2), REJECTS);
        return new KeyedOneInputStreamOperatorTestHarness<>(
                new KeyedProcessOperator<>(window),
                graded -> graded.attempt().admission().groupId(),
                Types.STRING);
    }

    private void play(long group, int attempt, double reward) throws Exception {
        play(group, attempt, "adm", reward);
    }

    private void play(long group, int attempt, String admission, double reward) throws Exception {
        GradedAttempt graded =
                Samples.graded(Samples.admission(group, attempt, 3, admission), reward);
        harness.processElement(new StreamRecord<>(graded));
    }

    private List<String> rejected() {
        var side = harness.getSideOutput(REJECTS);
        return side == null ? List.of() : side.stream().map(r -> r.getValue().reason()).toList();
    }

    private void assertNothingLeft() {
        assertThat(harness.numKeyedStateEntries()).isZero();
        assertThat(harness.numProcessingTimeTimers()).isZero();
    }

    @Test
    void closesAGroupWithItsLastAttemptInOrderOfTheirIndex() throws Exception {
        play(0, 2, 1);
        play(0, 0, 0);
        assertThat(harness.extractOutputValues()).isEmpty();
        play(0, 1, 0);
        GroupRecord group = harness.extractOutputValues().get(0);
        assertThat(group.verdict()).isEqualTo(Verdict.MIXED);
        assertThat(group.attempts().stream().map(AttemptSummary::reward))
                .containsExactly(0.0, 0.0, 1.0);
        assertThat(group.admissionId()).isEqualTo("adm");
        harness.setProcessingTime(500);
        assertNothingLeft();
    }

    @Test
    void closesAGroupAtItsDeadlineAsItIs() throws Exception {
        harness.setProcessingTime(100);
        play(0, 0, 1);
        harness.setProcessingTime(200);
        play(0, 2, 0);
        harness.setProcessingTime(1099);
        assertThat(harness.extractOutputValues()).isEmpty();
        harness.setProcessingTime(1100);
        GroupRecord group = harness.extractOutputValues().get(0);
        assertThat(group.verdict()).isEqualTo(Verdict.MIXED);
        AttemptSummary missing = group.attempts().get(1);
        assertThat(missing.outcome()).isEqualTo(Outcome.LOST);
        assertThat(missing.valid()).isFalse();
        assertThat(missing.failure().cause()).isEqualTo(GroupVerdict.MISSING_AT_DEADLINE);
        harness.setProcessingTime(1600);
        assertNothingLeft();
    }

    @Test
    void tellsLateRepeatedAndForeignAttemptsFromAGroupsOwn() throws Exception {
        play(0, 0, 1);
        play(0, 0, 0);
        play(0, 1, "other", 0);
        play(0, 1, 0);
        play(0, 2, 0);
        play(0, 2, 1);
        assertThat(harness.extractOutputValues()).hasSize(1);
        assertThat(rejected())
                .containsExactly("repeated_attempt", "other_admission", "late_attempt");
        harness.setProcessingTime(500);
        assertNothingLeft();
    }

    @Test
    void keepsGroupsApart() throws Exception {
        for (int attempt = 0; attempt < 3; attempt++) {
            play(0, attempt, attempt);
            play(1, attempt, 1);
        }
        assertThat(harness.extractOutputValues().stream().map(GroupRecord::verdict))
                .containsExactly(Verdict.MIXED, Verdict.CONSTANT);
    }

    @Test
    void timeWhileItDoesNotRunCountsAgainstNoGroup() throws Exception {
        play(0, 0, 1);
        harness.setProcessingTime(400);
        OperatorSubtaskState state = harness.snapshot(1, 400);
        harness.close();
        harness = harness();
        harness.setProcessingTime(5000);
        harness.initializeState(state);
        harness.open();
        harness.setProcessingTime(5599);
        assertThat(harness.extractOutputValues()).isEmpty();
        harness.setProcessingTime(5600);
        assertThat(harness.extractOutputValues()).hasSize(1);
        assertThat(harness.extractOutputValues().get(0).verdict()).isEqualTo(Verdict.FAILED);
        harness.setProcessingTime(6100);
        assertNothingLeft();
    }

    @Test
    void goesOnWithTheAttemptsItHadBeforeARestore() throws Exception {
        play(0, 0, 1);
        play(0, 1, 0);
        OperatorSubtaskState state = harness.snapshot(1, 0);
        harness.close();
        harness = harness();
        harness.initializeState(state);
        harness.open();
        play(0, 2, 0);
        assertThat(harness.extractOutputValues()).hasSize(1);
        harness.setProcessingTime(500);
        harness.setProcessingTime(1000);
        assertNothingLeft();
    }
}
