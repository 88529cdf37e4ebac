package dev.millrace.jobs.launch;

import dev.millrace.operators.topic.KafkaCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads what a topic holds before there is a job. */
final class TopicScan {
    private static final Duration POLL = Duration.ofMillis(200);

    private TopicScan() {}

    /** Reads from the beginning to the present end, each partition in its order. Blocks. */
    static void read(
            KafkaCluster cluster, String topic, Consumer<ConsumerRecord<String, byte[]>> reader) {
        try (KafkaConsumer<String, byte[]> consumer =
                new KafkaConsumer<>(
                        cluster.client(Map.of()),
                        new StringDeserializer(),
                        new ByteArrayDeserializer())) {
            List<TopicPartition> partitions =
                    consumer.partitionsFor(topic).stream()
                            .map(info -> new TopicPartition(topic, info.partition()))
                            .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream()
                    .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(POLL).forEach(reader);
            }
        }
    }
}
