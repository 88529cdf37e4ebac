package dev.millrace.pipeline.topology;

import dev.millrace.operators.topic.TopicNames;
import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.pipeline.ledger.LedgerStage;
import dev.millrace.udfs.model.ProgressRecord;
import java.util.List;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Region 3: everything that happened, as Parquet. */
final class LedgerRegion {
    private static final String REGION = "ledger";

    private LedgerRegion() {}

    static void attach(StreamExecutionEnvironment env, RunPlan plan) {
        TopicStreams streams = new TopicStreams(env, plan, REGION);
        TopicNames topics = plan.topics();
        List<DataStream<TopicRecord>> all =
                List.of(
                        streams.read(topics.groups(), 1),
                        streams.read(topics.policies(), 1),
                        streams.read(topics.progress(), 1),
                        streams.read(topics.turns(), 1),
                        streams.read(topics.rejects(), 1));
        DataStream<ProgressRecord> drained =
                LedgerStage.attach(all, topics, plan.ledgerUri(), 1, plan.watch());
        streams.write(drained, topics.progress(), ProgressRecord::runId);
    }
}
