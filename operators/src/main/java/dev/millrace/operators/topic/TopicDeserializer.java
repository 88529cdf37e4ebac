package dev.millrace.operators.topic;

import java.nio.charset.StandardCharsets;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Keeps values as bytes: what they mean is for the stages to decode or to refuse. Only the run's
 * own topic has final markers.
 *
 * @param own full name of that topic
 */
record TopicDeserializer(String own) implements KafkaRecordDeserializationSchema<TopicRecord> {
    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<TopicRecord> out) {
        String key = record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
        byte[] value = record.value() == null ? new byte[0] : record.value();
        TopicRecord read =
                record.topic().equals(own)
                        ? TopicRecord.read(
                                record.topic(), record.partition(), record.offset(), key, value)
                        : TopicRecord.data(
                                record.topic(), record.partition(), record.offset(), key, value);
        out.collect(read.writtenAt(record.timestamp()));
    }

    @Override
    public TypeInformation<TopicRecord> getProducedType() {
        return TypeInformation.of(TopicRecord.class);
    }
}
