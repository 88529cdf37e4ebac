package dev.millrace.operators.topic;

import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.util.function.SerializableFunction;

/** Writes records to a topic as JSON, at once and at least once: readers tell repeats by ids. */
public final class TopicSink {
    private TopicSink() {}

    /**
     * A sink of one topic.
     *
     * @param cluster where the topic is
     * @param topic full name; must exist
     * @param key of a record; decides its partition
     */
    public static <T> KafkaSink<T> of(
            KafkaCluster cluster, String topic, SerializableFunction<T, String> key) {
        return KafkaSink.<T>builder()
                .setBootstrapServers(cluster.bootstrapServers())
                .setKafkaProducerConfig(cluster.clientProperties())
                .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
                .setRecordSerializer(new TopicSerializer<>(topic, key))
                .setProperty("linger.ms", "0")
                .setProperty("max.request.size", Integer.toString(Topics.MAX_RECORD_BYTES))
                .build();
    }
}
