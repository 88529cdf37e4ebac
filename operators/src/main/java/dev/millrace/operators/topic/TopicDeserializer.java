package dev.millrace.operators.topic;

import java.nio.charset.StandardCharsets;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Keeps values as bytes: what they mean is for the stages to decode or to refuse. */
final class TopicDeserializer implements KafkaRecordDeserializationSchema<TopicRecord> {
    private static final long serialVersionUID = 1L;

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<TopicRecord> out) {
        String key = record.key() == null ? null : new String(record.key(), StandardCharsets.UTF_8);
        out.collect(
                TopicRecord.read(
                        record.topic(), record.partition(), record.offset(), key, record.value()));
    }

    @Override
    public TypeInformation<TopicRecord> getProducedType() {
        return TypeInformation.of(TopicRecord.class);
    }
}
