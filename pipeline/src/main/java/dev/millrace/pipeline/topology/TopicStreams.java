package dev.millrace.pipeline.topology;

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
        String shortName = shortName(topic);
        return env.fromSource(
                        new TopicSource(plan.kafka(), topic),
                        WatermarkStrategy.noWatermarks(),
                        "Read " + shortName + " (" + region + ")")
                .setParallelism(parallelism)
                .uid(Uids.source(shortName, region));
    }

    /** Writes records to a topic. */
    <T> void write(DataStream<T> records, String topic, SerializableFunction<T, String> key) {
        String shortName = shortName(topic);
        records.sinkTo(TopicSink.of(plan.kafka(), topic, key))
                .setParallelism(1)
                .name("Write " + shortName)
                .uid(Uids.sink(shortName, region));
    }

    private static String shortName(String topic) {
        return topic.substring(topic.lastIndexOf('.') + 1);
    }
}
