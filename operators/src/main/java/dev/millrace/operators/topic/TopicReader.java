package dev.millrace.operators.topic;

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
    private Phase phase = Phase.OPENING;
    private CompletableFuture<Void> signal = new CompletableFuture<>();
    private TrackingOutput tracking;

    TopicReader(
            String topic,
            SourceReaderContext context,
            SourceReader<TopicRecord, KafkaPartitionSplit> kafka) {
        this.topic = topic;
        this.context = context;
        this.kafka = kafka;
        this.positions = new Positions(topic);
    }

    @Override
    public void start() {
        kafka.start();
    }

    @Override
    public void addSplits(List<KafkaPartitionSplit> splits) {
        splits.forEach(positions::add);
        kafka.addSplits(splits);
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
        return kafka.snapshotState(checkpointId).stream().map(positions::cap).toList();
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
            tracking = new TrackingOutput(out, positions);
        }
        InputStatus status = kafka.pollNext(tracking);
        boolean stepDue = phase == Phase.CATCHING_UP ? positions.caughtUp() : positions.ended();
        return stepDue ? InputStatus.MORE_AVAILABLE : status;
    }
}
