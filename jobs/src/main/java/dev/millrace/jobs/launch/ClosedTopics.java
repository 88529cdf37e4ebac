package dev.millrace.jobs.launch;

import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.operators.topic.KafkaCluster;
import dev.millrace.operators.topic.TopicRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** A run that has ended leaves a mark in its topics, behind which nothing is read any more. */
final class ClosedTopics {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private ClosedTopics() {}

    /**
     * Refuses topics that a run has closed.
     *
     * @throws BadInputException with the remedy
     * @see #refusal
     */
    static void refuse(KafkaCluster cluster, String topic, boolean resume) {
        refusal(cluster, topic, resume)
                .ifPresent(
                        text -> {
                            throw new BadInputException(text);
                        });
    }

    /**
     * Why no run can use the topics, with the remedy; empty when none has closed them.
     *
     * @param topic of policies; the mark is in every topic
     * @param resume whether it would be the same run that goes on
     */
    static Optional<String> refusal(KafkaCluster cluster, String topic, boolean resume) {
        if (!closed(cluster, topic)) {
            return Optional.empty();
        }
        return Optional.of(
                resume
                        ? "The run has ended, its topics are closed. Start a new run with another"
                                + " --output and another run.name"
                        : "The topic "
                                + topic
                                + " is closed: a run of this name has ended in this Kafka cluster."
                                + " Choose another one, for instance --set run.name=second");
    }

    private static boolean closed(KafkaCluster cluster, String topic) {
        TopicPartition partition = new TopicPartition(topic, 0);
        try (KafkaConsumer<String, byte[]> consumer =
                new KafkaConsumer<>(
                        cluster.client(Map.of()),
                        new StringDeserializer(),
                        new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            if (end == 0) {
                return false;
            }
            consumer.seek(partition, end - 1);
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (System.nanoTime() < deadline) {
                for (ConsumerRecord<String, byte[]> last : consumer.poll(POLL)) {
                    return TopicRecord.FINAL_KEY.equals(last.key());
                }
            }
            throw new IllegalStateException("The end of the topic " + topic + " can't be read");
        }
    }
}
