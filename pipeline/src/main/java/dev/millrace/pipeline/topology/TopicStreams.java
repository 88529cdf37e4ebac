package dev.millrace.pipeline.topology;

import dev.millrace.operators.topic.TopicFeed;
import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.operators.topic.TopicSink;
import dev.millrace.operators.topic.TopicSource;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.function.SerializableFunction;

/** Sources and sinks of one region. Each region has its own source on each topic it reads. */
final class TopicStreams {
    private final StreamExecutionEnvironment env;
    private final RunPlan plan;
    private final String region;

    TopicStreams(StreamExecutionEnvironment env, RunPlan plan, String region) {
        this.env = env;
        this.plan = plan;
        this.region = region;
    }

    /** Records of a topic, in their order. */
    SingleOutputStreamOperator<TopicRecord> read(String topic, int parallelism) {
        return read(topic, null, parallelism);
    }

    /** The same, with those of a topic of others beside it unless that is null. */
    SingleOutputStreamOperator<TopicRecord> read(String topic, TopicFeed feed, int parallelism) {
        String shortName = shortName(topic);
        return env.fromSource(
                        new TopicSource(plan.kafka(), topic, feed),
                        WatermarkStrategy.noWatermarks(),
                        "Read " + shortName + " (" + region + ")")
                .setParallelism(parallelism)
                .setDescription(
                        "Read "
                                + shortName
                                + " for "
                                + region
                                + ": "
                                + what(shortName)
                                + (feed == null ? "" : ", and rows of " + feed.topic()))
                .uid(Uids.source(shortName, region));
    }

    /** Writes records to a topic. */
    <T> void write(DataStream<T> records, String topic, SerializableFunction<T, String> key) {
        String shortName = shortName(topic);
        records.sinkTo(TopicSink.of(plan.kafka(), topic, key))
                .setParallelism(1)
                // Flink shows the name alone, twice: the writer and the committer.
                .name("Write topic " + shortName)
                .uid(Uids.sink(shortName, region));
    }

    /** What is in a topic, for people who look at the job. */
    private static String what(String shortName) {
        return switch (shortName) {
            case "tasks" -> "what is to be played";
            case "turns" -> "the journal of attempts, step by step";
            case "groups" -> "closed groups, with their verdicts";
            case "policies" -> "policy versions, as they are published";
            case "progress" -> "which groups were trained or dropped";
            case "rejects" -> "records and attempts that could not be used, and why";
            default -> "records";
        };
    }

    private static String shortName(String topic) {
        return topic.substring(topic.lastIndexOf('.') + 1);
    }
}
