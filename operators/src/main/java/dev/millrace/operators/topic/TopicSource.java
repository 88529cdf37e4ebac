package dev.millrace.operators.topic;

import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;

/**
 * Reads one topic from its beginning, for ever, with three promises that a plain Kafka source does
 * not make.
 *
 * <ul>
 *   <li><b>CaughtUp.</b> Each time a reader opens it emits one CAUGHT_UP behind all records that
 *       the topic had by then.
 *   <li><b>Ending together.</b> A FINAL marker ends its partition; what follows it is never
 *       emitted, and no checkpoint moves past it. The readers end only when all partitions have: a
 *       reader that is done before, or has no partition, stays running and idle. (A task that is
 *       FINISHED while others run can make Flink restore unfinished ones as finished.)
 *   <li><b>The same topic.</b> A restored source refuses another topic of the same name and offsets
 *       outside the topic's present range.
 * </ul>
 *
 * <p>Beside it a {@link TopicFeed} may be read, a topic that others write. CaughtUp does not wait
 * for it, and it ends with the topic. Records of it that are gone before they were read fail the
 * job.
 *
 * <p>The topic must be neither compacted nor written in transactions: CaughtUp counts offsets.
 */
public final class TopicSource
        implements Source<TopicRecord, KafkaPartitionSplit, TopicState>,
                ResultTypeQueryable<TopicRecord> {
    private static final long serialVersionUID = 2L;

    /** Records of a fetch beside a feed: some fetches come behind the limit of a partition. */
    private static final String FETCHED_ROWS = "32";

    private final KafkaCluster cluster;
    private final String topic;
    private final TopicFeed feed;
    private final KafkaSource<TopicRecord> kafka;

    /** Reads a topic of a cluster that asks for no more than its address. */
    public TopicSource(String bootstrapServers, String topic) {
        this(KafkaCluster.at(bootstrapServers), topic);
    }

    /**
     * @param cluster where the topic is
     * @param topic full name; must exist when the job starts
     */
    public TopicSource(KafkaCluster cluster, String topic) {
        this(cluster, topic, null);
    }

    /**
     * @param feed read beside the topic, by the same readers; null for none
     */
    public TopicSource(KafkaCluster cluster, String topic, TopicFeed feed) {
        this.cluster = cluster;
        this.topic = topic;
        this.feed = feed;
        this.kafka =
                KafkaSource.<TopicRecord>builder()
                        .setProperties(cluster.clientProperties())
                        .setTopics(topic)
                        .setStartingOffsets(
                                OffsetsInitializer.offsets(Map.of(), OffsetResetStrategy.NONE))
                        .setDeserializer(new TopicDeserializer(topic))
                        .setProperty("max.poll.records", feed == null ? "500" : FETCHED_ROWS)
                        .setProperty("partition.discovery.interval.ms", "-1")
                        .setProperty("enable.auto.commit", "false")
                        .setProperty("commit.offsets.on.checkpoint", "false")
                        .build();
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.CONTINUOUS_UNBOUNDED;
    }

    @Override
    public SplitEnumerator<KafkaPartitionSplit, TopicState> createEnumerator(
            SplitEnumeratorContext<KafkaPartitionSplit> context) {
        return new TopicEnumerator(context, cluster, topic, feed, null);
    }

    @Override
    public SplitEnumerator<KafkaPartitionSplit, TopicState> restoreEnumerator(
            SplitEnumeratorContext<KafkaPartitionSplit> context, TopicState state) {
        return new TopicEnumerator(context, cluster, topic, feed, state);
    }

    @Override
    public SourceReader<TopicRecord, KafkaPartitionSplit> createReader(SourceReaderContext context)
            throws Exception {
        return new TopicReader(topic, feed, context, kafka.createReader(context));
    }

    @Override
    public SimpleVersionedSerializer<KafkaPartitionSplit> getSplitSerializer() {
        return kafka.getSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<TopicState> getEnumeratorCheckpointSerializer() {
        return new TopicStateSerializer();
    }

    @Override
    public TypeInformation<TopicRecord> getProducedType() {
        return TypeInformation.of(TopicRecord.class);
    }
}
