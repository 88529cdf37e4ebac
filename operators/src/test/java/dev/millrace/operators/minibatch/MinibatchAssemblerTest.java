package dev.millrace.operators.minibatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.operators.Samples;
import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.udfs.minibatch.BatchSettings;
import dev.millrace.udfs.minibatch.EpochClaim;
import dev.millrace.udfs.minibatch.LearnInput;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Reject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MinibatchAssemblerTest {
    private static final OutputTag<ProgressRecord> PROGRESS = new OutputTag<>("progress") {};
    private static final OutputTag<Reject> REJECTS = new OutputTag<>("rejects") {};
    private OneInputStreamOperatorTestHarness<TopicRecord, LearnInput> harness;

    @BeforeEach
    void open() throws Exception {
        ListedEpochs.ANNOUNCED.clear();
        open(null);
    }

    @AfterEach
    void close() throws Exception {
        harness.close();
    }

    private void open(OperatorSubtaskState state) throws Exception {
        BatchSettings settings = new BatchSettings(Samples.RUN, 7, 4, 2, 2, 1, true, false);
        harness =
                new OneInputStreamOperatorTestHarness<>(
                        new ProcessOperator<>(
                                new MinibatchAssembler(
                                        List.of(settings), new ListedEpochs(), PROGRESS, REJECTS)));
        if (state != null) {
            harness.initializeState(state);
        }
        harness.open();
    }

    private void send(TopicRecord record) throws Exception {
        harness.processElement(new StreamRecord<>(record));
    }

    private void close(long index) throws Exception {
        send(Samples.data("groups", Samples.group(index, Samples.policy(1, 0), 1, 0)));
    }

    private List<String> sent() {
        return harness.extractOutputValues().stream()
                .map(
                        input ->
                                input.claim() != null
                                        ? "epoch " + input.claim().epoch()
                                        : input.minibatch().minibatchId()
                                                + " "
                                                + input.minibatch().groupIds())
                .toList();
    }

    private List<String> progress() {
        var side = harness.getSideOutput(PROGRESS);
        return side == null
                ? List.of()
                : side.stream()
                        .map(StreamRecord::getValue)
                        .map(p -> p.kind() + " e" + p.epoch() + " " + p.groupId())
                        .toList();
    }

    @Test
    void sendsItsClaimBeforeAnythingElseEvenIfNoGroupComes() throws Exception {
        assertThat(harness.extractOutputValues()).isEmpty();
        send(TopicRecord.caughtUp("groups", 0, 1));
        EpochClaim claim = harness.extractOutputValues().get(0).claim();
        assertThat(claim).isEqualTo(new EpochClaim(Samples.RUN, 1, 0, 0, "n1"));
    }

    @Test
    void sendsMinibatchesAsTheyFillAndSaysWhatItTook() throws Exception {
        for (int i = 0; i < 4; i++) {
            close(i);
        }
        assertThat(sent())
                .containsExactly(
                        "epoch 1",
                        "run/e1/s0/m0 [run/g0, run/g1]",
                        "run/e1/s0/m1 [run/g2, run/g3]");
        assertThat(progress()).hasSize(4).startsWith("TAKEN e1 run/g0");
    }

    @Test
    void goesOnUnderANewEpochThatForksAfterTheStepsThatHaveLeft() throws Exception {
        for (int i = 0; i < 5; i++) {
            close(i);
        }
        OperatorSubtaskState state = harness.snapshot(1, 1);
        close(5);
        harness.close();
        open(state);
        close(5);
        EpochClaim claim = harness.extractOutputValues().get(0).claim();
        assertThat(claim).isEqualTo(new EpochClaim(Samples.RUN, 2, 1, 1, "n2"));
        assertThat(sent()).containsExactly("epoch 2", "run/e2/s1/m0 [run/g4, run/g5]");
        assertThat(progress()).containsExactly("TAKEN e2 run/g4", "TAKEN e2 run/g5");
    }

    @Test
    void answersTheMarkBehindTheLastGroup() throws Exception {
        send(Samples.data("groups", GroupRecord.drained(Samples.RUN, "")));
        assertThat(progress()).containsExactly("DRAINED e1 ");
    }

    @Test
    void refusesWhatItCannotReadAndIgnoresOtherRuns() throws Exception {
        send(TopicRecord.data("groups", 0, 3, Samples.RUN, bytes("no json")));
        send(TopicRecord.data("groups", 0, 4, "another run", bytes("no json")));
        assertThat(harness.getSideOutput(REJECTS).stream().map(r -> r.getValue().key()))
                .containsExactly("groups/0@3");
        assertThat(sent()).containsExactly("epoch 1");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
