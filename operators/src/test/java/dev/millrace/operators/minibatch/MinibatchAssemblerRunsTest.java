package dev.millrace.operators.minibatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.operators.Samples;
import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.operators.topic.Wire;
import dev.millrace.udfs.minibatch.BatchSettings;
import dev.millrace.udfs.minibatch.LearnInput;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Reject;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.Test;

/** An assembler of two runs, of minibatches of 2 groups. */
class MinibatchAssemblerRunsTest {
    private static final OutputTag<ProgressRecord> PROGRESS = new OutputTag<>("progress") {};
    private static final OutputTag<Reject> REJECTS = new OutputTag<>("rejects") {};

    private static OneInputStreamOperatorTestHarness<TopicRecord, LearnInput> open(
            OperatorSubtaskState state) throws Exception {
        EpochClaims next =
                (runId, ownEpoch, forkStep) ->
                        List.of(
                                new PolicyRecord(
                                        runId,
                                        PolicyRecord.Kind.ANNOUNCE,
                                        ownEpoch + 1,
                                        forkStep,
                                        ownEpoch,
                                        "n",
                                        "",
                                        false,
                                        Map.of()));
        OneInputStreamOperatorTestHarness<TopicRecord, LearnInput> harness =
                new OneInputStreamOperatorTestHarness<>(
                        new ProcessOperator<>(
                                new MinibatchAssembler(
                                        List.of(settings("job-c1"), settings("job-c2")),
                                        next,
                                        PROGRESS,
                                        REJECTS)));
        if (state != null) {
            harness.initializeState(state);
        }
        harness.open();
        return harness;
    }

    private static BatchSettings settings(String run) {
        return new BatchSettings(run, 7, 2, 2, 3, 1, true, false);
    }

    private static StreamRecord<TopicRecord> closed(String run, long index) {
        var group = Samples.groupOf(run, index, Samples.policy(1, 0), 1, 0);
        return new StreamRecord<>(TopicRecord.data("groups", 0, 0, run, Wire.encode(group)));
    }

    private static List<String> sent(
            OneInputStreamOperatorTestHarness<TopicRecord, LearnInput> harness) {
        return harness.extractOutputValues().stream()
                .map(
                        input ->
                                input.claim() != null
                                        ? input.claim().runId() + "/e" + input.claim().epoch()
                                        : input.minibatch().minibatchId())
                .toList();
    }

    @Test
    void runsHaveMinibatchesAndEpochsOfTheirOwn() throws Exception {
        OperatorSubtaskState state;
        try (var harness = open(null)) {
            harness.processElement(closed("job-c1", 0));
            harness.processElement(closed("job-c2", 0));
            harness.processElement(closed("job-c2", 1));
            assertThat(sent(harness)).containsExactly("job-c1/e1", "job-c2/e1", "job-c2/e1/s0/m0");
            state = harness.snapshot(1, 1);
        }
        try (var harness = open(state)) {
            harness.processElement(closed("job-c1", 1));
            harness.processElement(closed("job-c2", 2));
            assertThat(sent(harness)).containsExactly("job-c1/e2", "job-c2/e2", "job-c1/e2/s0/m0");
        }
    }
}
