package dev.millrace.operators.admission;

import dev.millrace.operators.topic.TopicRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Writes the final markers with a producer of its own. */
public final class KafkaFinalMarkers implements FinalMarkers {
    private static final long serialVersionUID = 1L;
    private static final byte[] NOTHING = {};

    private final HashMap<String, String> clientSettings;
    private final ArrayList<String> topics;

    /**
     * @param clientSettings of the producer, at least {@code bootstrap.servers}
     * @param topics every topic that any source of the job reads
     */
    public KafkaFinalMarkers(Map<String, String> clientSettings, List<String> topics) {
        this.clientSettings = new HashMap<>(clientSettings);
        this.topics = new ArrayList<>(topics);
    }

    @Override
    public void write() {
        Map<String, Object> settings = new HashMap<>(clientSettings);
        settings.put("acks", "all");
        try (KafkaProducer<String, byte[]> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer())) {
            List<Future<?>> sent = new ArrayList<>();
            for (String topic : topics) {
                for (PartitionInfo partition : producer.partitionsFor(topic)) {
                    sent.add(
                            producer.send(
                                    new ProducerRecord<>(
                                            topic,
                                            partition.partition(),
                                            TopicRecord.FINAL_KEY,
                                            NOTHING)));
                }
            }
            for (Future<?> marker : sent) {
                marker.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("A final marker could not be written", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while writing final markers", e);
        }
    }
}
