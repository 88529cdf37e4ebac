package dev.millrace.bench.soak;

import dev.millrace.operators.topic.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * A topic, read with a plain consumer.
 *
 * @param bootstrapServers of the broker
 * @param name of the topic
 */
record Topic(String bootstrapServers, String name) {
    private static final String FINAL = "__final__";

    /** All values, in the order of their partitions. */
    <T> List<T> values(Class<T> type) {
        List<T> values = new ArrayList<>();
        forEach(type, (value, at) -> values.add(value));
        return values;
    }

    /** Hands over every value and when it was written, milliseconds since 1970. */
    <T> void forEach(Class<T> type, BiConsumer<T, Long> to) {
        try (KafkaConsumer<String, byte[]> consumer =
                new KafkaConsumer<>(
                        Map.of("bootstrap.servers", bootstrapServers),
                        new StringDeserializer(),
                        new ByteArrayDeserializer())) {
            List<TopicPartition> partitions =
                    consumer.partitionsFor(name).stream()
                            .map(p -> new TopicPartition(name, p.partition()))
                            .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> end = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(p -> consumer.position(p) < end.get(p))) {
                for (ConsumerRecord<String, byte[]> record :
                        consumer.poll(Duration.ofMillis(200))) {
                    if (!FINAL.equals(record.key())) {
                        to.accept(Wire.decode(record.value(), type), record.timestamp());
                    }
                }
            }
        }
    }
}
