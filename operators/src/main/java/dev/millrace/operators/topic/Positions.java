package dev.millrace.operators.topic;

import java.util.HashMap;
import java.util.Map;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;

/** How far a reader is in each of its partitions. */
final class Positions {
    private final Map<Integer, Long> next = new HashMap<>();
    private final Map<Integer, Long> goals = new HashMap<>();
    private final Map<Integer, Long> finals = new HashMap<>();
    private final String topic;

    Positions(String topic) {
        this.topic = topic;
    }

    void add(KafkaPartitionSplit split) {
        next.put(split.getPartition(), split.getStartingOffset());
    }

    /**
     * Takes the topic's present ends as goals.
     *
     * @throws TopicRefusedException when a position lies outside of what the topic holds
     */
    void aim(Map<Integer, TopicRange> ranges) {
        for (Map.Entry<Integer, Long> entry : next.entrySet()) {
            TopicRange range = ranges.get(entry.getKey());
            long position = entry.getValue();
            if (position < 0) {
                entry.setValue(range.begin());
            } else if (position < range.begin() || position > range.end()) {
                throw new TopicRefusedException(
                        String.format(
                                "Restored offset %d of %s/%d is outside of what the topic holds,"
                                        + " %d to %d: records are missing. Restore from a newer"
                                        + " checkpoint, or bring the topic back",
                                position, topic, entry.getKey(), range.begin(), range.end()));
            }
            goals.put(entry.getKey(), range.end());
        }
    }

    /** Notes a record; false when it lies behind its partition's final marker. */
    boolean advance(TopicRecord record) {
        if (finals.containsKey(record.partition())) {
            return false;
        }
        next.put(record.partition(), record.offset() + 1);
        if (record.kind() == TopicRecord.Kind.FINAL) {
            finals.put(record.partition(), record.offset());
        }
        return true;
    }

    /** Whether every goal is reached. */
    boolean caughtUp() {
        return goals.entrySet().stream()
                .allMatch(
                        goal ->
                                finals.containsKey(goal.getKey())
                                        || next.get(goal.getKey()) >= goal.getValue());
    }

    /** Whether every partition has ended; true without any. */
    boolean ended() {
        return finals.size() == next.size();
    }

    /**
     * The split as it may go into a checkpoint: at the marker at most, which is then read again.
     */
    KafkaPartitionSplit cap(KafkaPartitionSplit split) {
        Long marker = finals.get(split.getPartition());
        return marker == null || split.getStartingOffset() <= marker
                ? split
                : new KafkaPartitionSplit(split.getTopicPartition(), marker);
    }
}
