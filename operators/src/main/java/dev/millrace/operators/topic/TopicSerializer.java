package dev.millrace.operators.topic;

import java.nio.charset.StandardCharsets;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.util.function.SerializableFunction;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Makes a topic's records out of a stage's.
 *
 * @param topic full name
 * @param key of a record
 */
record TopicSerializer<T>(String topic, SerializableFunction<T, String> key)
        implements KafkaRecordSerializationSchema<T> {

    @Override
    public ProducerRecord<byte[], byte[]> serialize(
            T record, KafkaSinkContext context, Long timestamp) {
        byte[] keyBytes = key.apply(record).getBytes(StandardCharsets.UTF_8);
        return new ProducerRecord<>(topic, keyBytes, Wire.encode(record));
    }
}
