package dev.millrace.operators.topic;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.util.FlinkRuntimeException;
import org.apache.kafka.common.TopicPartition;

/**
 * Hands the partitions of one topic to the readers, tells each reader what the topic holds once it
 * has opened, and lets all of them end together. Runs in the coordinator's thread; the cluster is
 * asked in its worker thread.
 */
final class TopicEnumerator implements SplitEnumerator<KafkaPartitionSplit, TopicState> {
    private final SplitEnumeratorContext<KafkaPartitionSplit> context;
    private final KafkaCluster cluster;
    private final String topic;

    /** Read beside the topic; null for none. */
    private final TopicFeed feed;

    private final Map<TopicPartition, KafkaPartitionSplit> unassigned =
            new TreeMap<>(
                    Comparator.comparing(TopicPartition::topic)
                            .thenComparing(TopicPartition::partition));
    private final Map<Integer, Integer> openings = new HashMap<>();
    private final Set<Integer> ended = new HashSet<>();
    private TopicIdentity expected;
    private TopicIdentity expectedFeed;
    private boolean discovered;
    private Topics topics;

    TopicEnumerator(
            SplitEnumeratorContext<KafkaPartitionSplit> context,
            KafkaCluster cluster,
            String topic,
            TopicFeed feed,
            TopicState restored) {
        this.context = context;
        this.cluster = cluster;
        this.topic = topic;
        this.feed = feed;
        if (restored != null) {
            expected = restored.identity();
            expectedFeed = restored.feed();
            restored.unassigned().forEach(this::keep);
        }
    }

    @Override
    public void start() {
        topics = Topics.open(cluster);
        context.callAsync(this::lookUp, this::discover);
    }

    @Override
    public void addReader(int reader) {
        ended.remove(reader);
        openings.merge(reader, 1, Integer::sum);
        if (discovered) {
            serve(reader);
        }
    }

    @Override
    public void addSplitsBack(List<KafkaPartitionSplit> splits, int reader) {
        splits.forEach(this::keep);
    }

    @Override
    public void handleSourceEvent(int reader, SourceEvent event) {
        if (event instanceof PartitionsEnded) {
            ended.add(reader);
            if (ended.size() == context.currentParallelism()) {
                for (int each : context.registeredReaders().keySet()) {
                    context.sendEventToSourceReader(each, new PartitionsEnded());
                }
            }
        }
    }

    @Override
    public void handleSplitRequest(int reader, String host) {
        // Partitions are pushed, never asked for.
    }

    @Override
    public TopicState snapshotState(long checkpointId) {
        return new TopicState(expected, expectedFeed, new ArrayList<>(unassigned.values()));
    }

    @Override
    public void close() {
        if (topics != null) {
            topics.close();
        }
    }

    private Found lookUp() {
        return new Found(
                topics.identity(topic), feed == null ? null : topics.identity(feed.topic()));
    }

    private void discover(Found found, Throwable failure) {
        if (failure != null) {
            throw new FlinkRuntimeException("Can't look up topic " + topic, failure);
        }
        expected = same(topic, expected, found.topic());
        if (feed != null) {
            expectedFeed = same(feed.topic(), expectedFeed, found.feed());
        }
        discovered = true;
        context.registeredReaders().keySet().forEach(this::serve);
    }

    /** A topic that was found, all of it to be read when there was none before. */
    private TopicIdentity same(String name, TopicIdentity before, TopicIdentity found) {
        if (before == null) {
            for (int p = 0; p < found.partitions(); p++) {
                keep(
                        new KafkaPartitionSplit(
                                new TopicPartition(name, p), KafkaPartitionSplit.EARLIEST_OFFSET));
            }
        } else if (!before.equals(found)) {
            throw new TopicRefusedException(
                    String.format(
                            "Topic %s is not the one this state was read from: expected %s, found"
                                    + " %s. Restore with the original topics, or start without"
                                    + " state on new ones",
                            name, before, found));
        }
        return found;
    }

    /** Gives a reader its partitions, then what the topic holds as of now. */
    private void serve(int reader) {
        for (KafkaPartitionSplit split : List.copyOf(unassigned.values())) {
            if (split.getPartition() % context.currentParallelism() == reader) {
                unassigned.remove(split.getTopicPartition());
                context.assignSplit(split, reader);
            }
        }
        int opening = openings.getOrDefault(reader, 0);
        context.callAsync(
                this::ranges, (ranges, failure) -> sendRanges(reader, opening, ranges, failure));
    }

    private Map<TopicPartition, TopicRange> ranges() {
        Map<TopicPartition, TopicRange> ranges =
                new HashMap<>(topics.ranges(topic, expected.partitions()));
        if (feed != null) {
            ranges.putAll(topics.ranges(feed.topic(), expectedFeed.partitions()));
        }
        return ranges;
    }

    private void sendRanges(
            int reader, int opening, Map<TopicPartition, TopicRange> ranges, Throwable failure) {
        if (failure != null) {
            throw new FlinkRuntimeException("Can't read the offsets of topic " + topic, failure);
        }
        // A reader that opened again since then is served anew, with a later end.
        if (opening == openings.getOrDefault(reader, 0)
                && context.registeredReaders().containsKey(reader)) {
            context.sendEventToSourceReader(reader, new ReadRanges(ranges));
        }
    }

    private void keep(KafkaPartitionSplit split) {
        unassigned.put(split.getTopicPartition(), split);
    }

    /** What the topics are now; without a feed that part is null. */
    private record Found(TopicIdentity topic, TopicIdentity feed) {}
}
