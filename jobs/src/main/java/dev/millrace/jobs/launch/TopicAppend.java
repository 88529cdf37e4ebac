package dev.millrace.jobs.launch;

import dev.millrace.operators.topic.KafkaCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Appends records before there is a job. */
final class TopicAppend {
    private TopicAppend() {}

    /** Blocks until the cluster has all of them. */
    static void append(KafkaCluster cluster, List<ProducerRecord<String, byte[]>> records) {
        Map<String, Object> settings = cluster.client(Map.of("acks", "all"));
        try (KafkaProducer<String, byte[]> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer())) {
            List<Future<RecordMetadata>> written = new ArrayList<>();
            for (ProducerRecord<String, byte[]> record : records) {
                written.add(producer.send(record));
            }
            for (Future<RecordMetadata> each : written) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("The tasks could not be written", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while writing tasks", e);
        }
    }
}
