package dev.millrace.operators.topic;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;

/** Reads the partitions it is given, as {@link TopicSource} promises. */
final class TopicReader implements SourceReader<TopicRecord, KafkaPartitionSplit> {
    private static final CompletableFuture<Void> NOW = CompletableFuture.completedFuture(null);

    /** What the reader waits for next. */
    private enum Phase {
        /** For the topic's ranges; nothing is read before they were checked. */
        OPENING,
        /** For the end that the topic had at opening. */
        CATCHING_UP,
        /** For the final markers. */
        READING,
        /** For the other readers. */
        IDLE,
        /** For nothing. */
        OVER
    }

    private final String topic;
    private final SourceReaderContext context;
    private final SourceReader<TopicRecord, KafkaPartitionSplit> kafka;
    private final Positions positions;

    /** Null without a feed. */
    private final FeedReading feed;

    private Phase phase = Phase.OPENING;
    private CompletableFuture<Void> signal = new CompletableFuture<>();
    private TrackingOutput tracking;

    /**
     * @param feed read beside the topic, or null
     */
    TopicReader(
            String topic,
            TopicFeed feed,
            SourceReaderContext context,
            SourceReader<TopicRecord, KafkaPartitionSplit> kafka) {
        this.topic = topic;
        this.context = context;
        this.kafka = kafka;
        this.positions = new Positions(topic);
        this.feed = feed == null ? null : new FeedReading(feed, positions, kafka);
    }

    @Override
    public void start() {
        kafka.start();
    }

    @Override
    public void addSplits(List<KafkaPartitionSplit> splits) {
        List<KafkaPartitionSplit> own = new ArrayList<>();
        for (KafkaPartitionSplit split : splits) {
            boolean fed = feed != null && feed.takes(split);
            if (!fed && !split.getTopic().equals(topic)) {
                throw new TopicRefusedException(
                        "This state was read from the topic "
                                + split.getTopic()
                                + " too, which is not read any more; restore with the same topics");
            }
            positions.add(split);
            if (!fed) {
                own.add(split);
            }
        }
        kafka.addSplits(own);
    }

    @Override
    public void handleSourceEvents(SourceEvent event) {
        if (event instanceof ReadRanges seen && phase == Phase.OPENING) {
            positions.aim(seen.ranges());
            phase = Phase.CATCHING_UP;
            signal.complete(null);
        } else if (event instanceof PartitionsEnded) {
            phase = Phase.OVER;
            signal.complete(null);
        }
    }

    @Override
    public InputStatus pollNext(ReaderOutput<TopicRecord> out) throws Exception {
        if (phase == Phase.CATCHING_UP && positions.caughtUp()) {
            phase = Phase.READING;
            out.collect(
                    TopicRecord.caughtUp(
                            topic, context.getIndexOfSubtask(), context.currentParallelism()));
        } else if (phase == Phase.READING && positions.ended()) {
            phase = Phase.IDLE;
            signal = new CompletableFuture<>();
            if (feed != null) {
                feed.stop();
            }
            context.sendSourceEventToCoordinator(new PartitionsEnded());
        } else if (phase == Phase.CATCHING_UP || phase == Phase.READING) {
            return read(out);
        }
        return switch (phase) {
            case OPENING, IDLE -> InputStatus.NOTHING_AVAILABLE;
            case CATCHING_UP, READING -> InputStatus.MORE_AVAILABLE;
            case OVER -> InputStatus.END_OF_INPUT;
        };
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
        return switch (phase) {
            case OPENING, IDLE -> signal;
            case CATCHING_UP -> positions.caughtUp() ? NOW : kafka.isAvailable();
            case READING -> positions.ended() ? NOW : kafka.isAvailable();
            case OVER -> NOW;
        };
    }

    @Override
    public List<KafkaPartitionSplit> snapshotState(long checkpointId) {
        List<KafkaPartitionSplit> splits = new ArrayList<>();
        kafka.snapshotState(checkpointId).forEach(split -> splits.add(positions.cap(split)));
        if (feed != null) {
            splits.addAll(feed.notBegun());
        }
        return splits;
    }

    @Override
    public void notifyNoMoreSplits() {
        // Never said: an enumerator of this source hands out all partitions at once.
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
        kafka.notifyCheckpointComplete(checkpointId);
    }

    @Override
    public void pauseOrResumeSplits(Collection<String> pause, Collection<String> resume) {
        kafka.pauseOrResumeSplits(pause, resume);
    }

    @Override
    public void close() throws Exception {
        kafka.close();
    }

    private InputStatus read(ReaderOutput<TopicRecord> out) throws Exception {
        if (tracking == null) {
            tracking = new TrackingOutput(out, positions, feed);
        }
        InputStatus status = kafka.pollNext(tracking);
        if (feed != null) {
            feed.follow();
        }
        boolean stepDue = phase == Phase.CATCHING_UP ? positions.caughtUp() : positions.ended();
        return stepDue ? InputStatus.MORE_AVAILABLE : status;
    }
}
