package dev.millrace.operators.topic;

import dev.millrace.udfs.model.RowDemand;
import dev.millrace.udfs.model.RowPosition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads the partitions of a {@link TopicFeed} as far as the run asks for: one that nothing was
 * asked of is not begun, one that has come to its limit is paused. What the client had fetched by
 * then still comes, so a limit is passed by some records.
 */
final class FeedReading {
    private final TopicFeed feed;
    private final Positions positions;
    private final SourceReader<TopicRecord, KafkaPartitionSplit> kafka;
    private final TreeMap<Integer, KafkaPartitionSplit> notBegun = new TreeMap<>();
    private final TreeSet<Integer> reading = new TreeSet<>();
    private final TreeSet<Integer> paused = new TreeSet<>();
    private final Map<Integer, Long> limits = new HashMap<>();
    private final TreeSet<Integer> toLookAt = new TreeSet<>();

    FeedReading(
            TopicFeed feed,
            Positions positions,
            SourceReader<TopicRecord, KafkaPartitionSplit> kafka) {
        this.feed = feed;
        this.positions = positions;
        this.kafka = kafka;
    }

    /** Takes a partition; false when it is none of the feed's. */
    boolean takes(KafkaPartitionSplit split) {
        if (!split.getTopic().equals(feed.topic())) {
            return false;
        }
        notBegun.put(split.getPartition(), split);
        return true;
    }

    /** Takes a record before it is emitted; true when it was meant for this reading alone. */
    boolean takes(TopicRecord record) {
        if (record.topic().equals(feed.topic())) {
            toLookAt.add(record.partition());
            return false;
        }
        if (!record.key().equals(feed.demandKey())) {
            return false;
        }
        try {
            hear(Wire.decode(record.value(), RowDemand.class));
            return true;
        } catch (WireException e) {
            // The stage that reads the topic refuses it by where it is.
            return false;
        }
    }

    /** Begins, pauses and resumes what the records since the last call ask for. */
    void follow() {
        List<KafkaPartitionSplit> begun = new ArrayList<>();
        List<String> resume = new ArrayList<>();
        List<String> pause = new ArrayList<>();
        for (int partition : toLookAt) {
            boolean wanted = positions.next(feed.topic(), partition) < limit(partition);
            if (wanted && notBegun.containsKey(partition)) {
                begun.add(notBegun.remove(partition));
                reading.add(partition);
            } else if (wanted && paused.remove(partition)) {
                resume.add(id(partition));
            } else if (!wanted && reading.contains(partition) && paused.add(partition)) {
                pause.add(id(partition));
            }
        }
        toLookAt.clear();
        if (!begun.isEmpty()) {
            kafka.addSplits(begun);
        }
        if (!pause.isEmpty() || !resume.isEmpty()) {
            kafka.pauseOrResumeSplits(pause, resume);
        }
    }

    /** Reads nothing more. */
    void stop() {
        kafka.pauseOrResumeSplits(reading.stream().map(this::id).toList(), List.of());
    }

    /** Partitions that were not begun, for a checkpoint. */
    Collection<KafkaPartitionSplit> notBegun() {
        return notBegun.values();
    }

    private void hear(RowDemand demand) {
        for (RowPosition limit : demand.limits()) {
            limits.merge(limit.partition(), limit.offset(), Math::max);
        }
        for (int partition : notBegun.keySet()) {
            limits.putIfAbsent(partition, positions.next(feed.topic(), partition) + demand.ahead());
        }
        toLookAt.addAll(notBegun.keySet());
        toLookAt.addAll(paused);
    }

    private long limit(int partition) {
        return limits.getOrDefault(partition, Long.MIN_VALUE);
    }

    private String id(int partition) {
        return KafkaPartitionSplit.toSplitId(new TopicPartition(feed.topic(), partition));
    }
}
