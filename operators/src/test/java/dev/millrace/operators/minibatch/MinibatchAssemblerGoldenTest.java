package dev.millrace.operators.minibatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.operators.Golden;
import dev.millrace.operators.Samples;
import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.udfs.minibatch.BatchSettings;
import dev.millrace.udfs.minibatch.LearnInput;
import dev.millrace.udfs.model.Minibatch;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Reject;
import java.util.List;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.Test;

class MinibatchAssemblerGoldenTest {
    @Test
    void theStateIsReadForEver() throws Exception {
        ListedEpochs.ANNOUNCED.clear();
        ListedEpochs.ANNOUNCED.add(Samples.announced(1, 0, 0));
        BatchSettings settings = new BatchSettings(Samples.RUN, 7, 4, 2, 2, 1, true, false);
        try (var harness =
                new OneInputStreamOperatorTestHarness<TopicRecord, LearnInput>(
                        new ProcessOperator<>(
                                new MinibatchAssembler(
                                        List.of(settings),
                                        new ListedEpochs(),
                                        new OutputTag<ProgressRecord>("progress") {},
                                        new OutputTag<Reject>("rejects") {})))) {
            harness.initializeState(Golden.state("assembler"));
            harness.open();
            for (long group : new long[] {1, 0, 3, 2}) {
                harness.processElement(
                        new StreamRecord<>(
                                Samples.data(
                                        "groups",
                                        Samples.group(group, Samples.policy(1, 0), 1, 0))));
            }
            List<LearnInput> sent = harness.extractOutputValues();
            assertThat(sent.get(0).claim().epoch()).isEqualTo(2);
            Minibatch second = sent.get(1).minibatch();
            assertThat(sent).as("the first minibatch had left before").hasSize(2);
            assertThat(second.index()).isEqualTo(1);
            assertThat(second.groupIds()).containsExactly("run/g3", "run/g2");
        }
    }
}
