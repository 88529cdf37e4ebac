package dev.millrace.jobs.view;

import dev.millrace.operators.topic.TopicNames;
import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.operators.topic.Wire;
import dev.millrace.operators.topic.WireException;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.StepEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ObjLongConsumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a run's topics from their beginning, and goes on reading, on a thread of its own. It
 * belongs to no consumer group and changes nothing.
 */
public final class TopicTail implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TopicTail.class);
    private static final Duration POLL = Duration.ofMillis(200);

    private final KafkaConsumer<String, byte[]> consumer;
    private final Map<String, ObjLongConsumer<byte[]>> readers = new HashMap<>();
    private final Thread thread;
    private volatile boolean finishing;
    private volatile boolean closing;
    private volatile boolean ended;
    private final AtomicLong undecodable = new AtomicLong();

    /**
     * A tail that isn't running yet.
     *
     * @param bootstrap brokers
     * @param names the topics; they must exist when it starts
     * @param records takes what is read, on the tail's thread
     */
    public TopicTail(String bootstrap, TopicNames names, RunRecords records) {
        Properties properties = new Properties();
        properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
        properties.put(ConsumerConfig.CLIENT_ID_CONFIG, "millrace-view");
        this.consumer =
                new KafkaConsumer<>(
                        properties, new StringDeserializer(), new ByteArrayDeserializer());
        readers.put(names.groups(), reader(GroupRecord.class, records::group));
        readers.put(names.policies(), reader(PolicyRecord.class, records::policy));
        readers.put(names.progress(), reader(ProgressRecord.class, records::progress));
        readers.put(names.turns(), reader(StepEvent.class, records::step));
        readers.put(names.rejects(), reader(Reject.class, records::reject));
        this.thread = new Thread(this::run, "topic-tail");
        thread.setDaemon(true);
    }

    /** Starts reading. */
    public void start() {
        thread.start();
    }

    /** Records that were none of their topic's kind. */
    public long undecodable() {
        return undecodable.get();
    }

    /**
     * Reads on to what is the end of the topics now, then ends the tail.
     *
     * @return false when it didn't get there within the limit
     */
    public boolean finish(Duration limit) throws InterruptedException {
        finishing = true;
        thread.join(limit.toMillis());
        return ended;
    }

    @Override
    public void close() {
        closing = true;
        consumer.wakeup();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try (consumer) {
            List<TopicPartition> partitions = partitions();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (!closing && !finishing) {
                poll();
            }
            Map<TopicPartition, Long> end = closing ? Map.of() : consumer.endOffsets(partitions);
            while (!closing && !reached(end)) {
                poll();
            }
            ended = !closing;
        } catch (WakeupException closed) {
            LOG.debug("Topic tail was closed");
        } catch (KafkaException e) {
            // The view goes stale, the run goes on.
            LOG.error("Topic tail ended before its topics did", e);
        }
    }

    /** The partitions of all topics; a topic that was just made takes a moment to be known. */
    private List<TopicPartition> partitions() {
        List<TopicPartition> all = new ArrayList<>();
        for (String topic : readers.keySet()) {
            List<PartitionInfo> found = consumer.partitionsFor(topic);
            while (found.isEmpty() && !closing) {
                LockSupport.parkNanos(POLL.toNanos());
                found = consumer.partitionsFor(topic);
            }
            found.forEach(p -> all.add(new TopicPartition(topic, p.partition())));
        }
        return all;
    }

    private boolean reached(Map<TopicPartition, Long> end) {
        return end.entrySet().stream()
                .allMatch(
                        partition -> consumer.position(partition.getKey()) >= partition.getValue());
    }

    private void poll() {
        for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
            if (record.value() != null && !TopicRecord.FINAL_KEY.equals(record.key())) {
                readers.get(record.topic()).accept(record.value(), record.timestamp());
            }
        }
    }

    private <T> ObjLongConsumer<byte[]> reader(Class<T> type, ObjLongConsumer<T> into) {
        return (bytes, millis) -> {
            T record;
            try {
                record = Wire.decode(bytes, type);
            } catch (WireException e) {
                undecodable.incrementAndGet();
                return;
            }
            into.accept(record, millis);
        };
    }
}
