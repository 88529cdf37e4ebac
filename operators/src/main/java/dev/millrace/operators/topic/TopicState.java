package dev.millrace.operators.topic;

import java.util.List;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;

/**
 * What the enumerator of a topic source remembers.
 *
 * @param identity the topic that the offsets belong to, or null before it was looked up
 * @param feed the same of the topic that is read beside it, null when there is none
 * @param unassigned partitions that no reader has yet, with the offset to start at
 */
record TopicState(
        TopicIdentity identity, TopicIdentity feed, List<KafkaPartitionSplit> unassigned) {}
