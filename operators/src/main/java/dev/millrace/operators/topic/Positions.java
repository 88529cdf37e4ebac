package dev.millrace.operators.topic;

import java.util.HashMap;
import java.util.Map;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.common.TopicPartition;

/**
 * How far a reader is in each of its partitions: those of the run's own topic, which have an end,
 * and those of a {@link TopicFeed}, which have none.
 */
final class Positions {
    private final Map<TopicPartition, Long> next = new HashMap<>();
    private final Map<TopicPartition, Long> goals = new HashMap<>();
    private final Map<TopicPartition, Long> finals = new HashMap<>();
    private final String topic;

    Positions(String topic) {
        this.topic = topic;
    }

    void add(KafkaPartitionSplit split) {
        next.put(split.getTopicPartition(), split.getStartingOffset());
    }

    /**
     * Takes the topic's present ends as goals.
     *
     * @throws TopicRefusedException when a position lies outside of what the topic holds
     */
    void aim(Map<TopicPartition, TopicRange> ranges) {
        for (Map.Entry<TopicPartition, Long> entry : next.entrySet()) {
            TopicPartition partition = entry.getKey();
            TopicRange range = ranges.get(partition);
            long position = entry.getValue();
            if (position < 0) {
                entry.setValue(range.begin());
            } else if (position < range.begin() || position > range.end()) {
                throw new TopicRefusedException(
                        String.format(
                                "Restored offset %d of %s/%d is outside of what the topic holds,"
                                        + " %d to %d: records are missing. Restore from a newer"
                                        + " checkpoint, or bring the topic back",
                                position,
                                partition.topic(),
                                partition.partition(),
                                range.begin(),
                                range.end()));
            }
            if (own(partition)) {
                goals.put(partition, range.end());
            }
        }
    }

    /** Notes a record; false when it lies behind its final marker, or that of the whole topic. */
    boolean advance(TopicRecord record) {
        TopicPartition partition = new TopicPartition(record.topic(), record.partition());
        if (finals.containsKey(partition) || (!own(partition) && ended())) {
            return false;
        }
        next.put(partition, record.offset() + 1);
        if (record.kind() == TopicRecord.Kind.FINAL) {
            finals.put(partition, record.offset());
        }
        return true;
    }

    /** Offset of the next record of a partition. */
    long next(String of, int partition) {
        return next.get(new TopicPartition(of, partition));
    }

    /** Whether every goal is reached. */
    boolean caughtUp() {
        return goals.entrySet().stream()
                .allMatch(
                        goal ->
                                finals.containsKey(goal.getKey())
                                        || next.get(goal.getKey()) >= goal.getValue());
    }

    /** Whether every partition of the run's topic has ended; true without any. */
    boolean ended() {
        return finals.size() == next.keySet().stream().filter(this::own).count();
    }

    /**
     * The split as it may go into a checkpoint: at the marker at most, which is then read again,
     * and never past what was emitted.
     */
    KafkaPartitionSplit cap(KafkaPartitionSplit split) {
        TopicPartition partition = split.getTopicPartition();
        Long most = own(partition) ? finals.get(partition) : next.get(partition);
        return most == null || most < 0 || split.getStartingOffset() <= most
                ? split
                : new KafkaPartitionSplit(partition, most);
    }

    private boolean own(TopicPartition partition) {
        return partition.topic().equals(topic);
    }
}
