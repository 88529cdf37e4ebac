package dev.millrace.operators.minibatch;

import dev.millrace.operators.topic.Wire;
import dev.millrace.operators.topic.WireException;
import dev.millrace.udfs.model.PolicyRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims epochs with a plain consumer and a plain producer; both live only as long as the claim.
 */
public final class KafkaEpochClaims implements EpochClaims {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(KafkaEpochClaims.class);
    private static final Duration POLL = Duration.ofMillis(200);

    private final HashMap<String, String> clientSettings;
    private final String topic;

    /**
     * @param clientSettings of every Kafka client, at least {@code bootstrap.servers}
     * @param topic of policies, with one partition
     */
    public KafkaEpochClaims(Map<String, String> clientSettings, String topic) {
        this.clientSettings = new HashMap<>(clientSettings);
        this.topic = topic;
    }

    @Override
    public List<PolicyRecord> claim(String runId, long ownEpoch, long forkStep) {
        TopicPartition partition = new TopicPartition(topic, 0);
        try (KafkaConsumer<String, byte[]> consumer =
                        new KafkaConsumer<>(
                                Map.copyOf(clientSettings),
                                new StringDeserializer(),
                                new ByteArrayDeserializer());
                KafkaProducer<String, byte[]> producer =
                        new KafkaProducer<>(
                                producerSettings(),
                                new StringSerializer(),
                                new ByteArraySerializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            List<PolicyRecord> seen = new ArrayList<>();
            while (true) {
                readToEnd(consumer, partition, runId, seen);
                PolicyRecord mine = announcement(runId, ownEpoch, forkStep, seen);
                announce(producer, topic, mine);
                readToEnd(consumer, partition, runId, seen);
                List<PolicyRecord> firsts = firstAnnouncements(seen);
                PolicyRecord first =
                        firsts.stream()
                                .filter(a -> a.epoch() == mine.epoch())
                                .findFirst()
                                .orElseThrow();
                if (first.nonce().equals(mine.nonce())) {
                    return upTo(mine, firsts);
                }
                LOG.warn("Another trainer announced the epoch first epoch={}", mine.epoch());
            }
        }
    }

    private static PolicyRecord announcement(
            String runId, long ownEpoch, long forkStep, List<PolicyRecord> seen) {
        long newest = seen.stream().mapToLong(PolicyRecord::epoch).max().orElse(0);
        return new PolicyRecord(
                runId,
                PolicyRecord.Kind.ANNOUNCE,
                1 + Math.max(ownEpoch, newest),
                forkStep,
                ownEpoch,
                UUID.randomUUID().toString().substring(0, 8),
                "",
                false,
                Map.of());
    }

    /** Appends what lies between the consumer and the topic's present end. */
    private static void readToEnd(
            KafkaConsumer<String, byte[]> consumer,
            TopicPartition partition,
            String runId,
            List<PolicyRecord> seen) {
        long end = consumer.endOffsets(List.of(partition)).get(partition);
        while (consumer.position(partition) < end) {
            for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
                if (runId.equals(record.key())) {
                    decode(record, seen);
                }
            }
        }
    }

    private static void decode(ConsumerRecord<String, byte[]> record, List<PolicyRecord> seen) {
        try {
            seen.add(Wire.decode(record.value(), PolicyRecord.class));
        } catch (WireException e) {
            LOG.warn("A record of the topic of policies can't be read offset={}", record.offset());
        }
    }

    private static void announce(
            KafkaProducer<String, byte[]> producer, String topic, PolicyRecord announcement) {
        byte[] value = Wire.encode(announcement);
        try {
            producer.send(new ProducerRecord<>(topic, 0, announcement.runId(), value)).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("The epoch could not be announced", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while announcing an epoch", e);
        }
    }

    private static List<PolicyRecord> firstAnnouncements(List<PolicyRecord> seen) {
        Map<Long, PolicyRecord> byEpoch = new LinkedHashMap<>();
        seen.stream()
                .filter(record -> record.kind() == PolicyRecord.Kind.ANNOUNCE)
                .forEach(record -> byEpoch.putIfAbsent(record.epoch(), record));
        return List.copyOf(byEpoch.values());
    }

    private static List<PolicyRecord> upTo(PolicyRecord mine, List<PolicyRecord> announcements) {
        List<PolicyRecord> history = new ArrayList<>(announcements);
        history.removeIf(a -> a.epoch() >= mine.epoch());
        history.add(mine);
        return history;
    }

    private Map<String, Object> producerSettings() {
        Map<String, Object> settings = new HashMap<>(clientSettings);
        settings.put("acks", "all");
        return settings;
    }
}
