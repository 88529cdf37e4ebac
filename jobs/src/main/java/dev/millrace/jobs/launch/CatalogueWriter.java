package dev.millrace.jobs.launch;

import dev.millrace.operators.topic.KafkaCluster;
import dev.millrace.operators.topic.Wire;
import dev.millrace.udfs.model.Task;
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

/** Writes a run's tasks into their topic. The gate counts a task that it sees twice once. */
final class CatalogueWriter {
    private CatalogueWriter() {}

    static void write(KafkaCluster cluster, String topic, String runId, List<Task> tasks) {
        Map<String, Object> settings = cluster.client(Map.of("acks", "all"));
        try (KafkaProducer<String, byte[]> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer())) {
            List<Future<RecordMetadata>> written = new ArrayList<>();
            for (Task task : tasks) {
                written.add(producer.send(new ProducerRecord<>(topic, runId, Wire.encode(task))));
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
