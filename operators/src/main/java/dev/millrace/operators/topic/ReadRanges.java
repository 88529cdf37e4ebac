package dev.millrace.operators.topic;

import java.util.Map;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.kafka.common.TopicPartition;

/**
 * Enumerator to reader, behind the last partition that the reader will be given: you may read now.
 *
 * @param ranges offsets of all partitions of the topic, and of the one beside it, seen after the
 *     reader opened
 */
record ReadRanges(Map<TopicPartition, TopicRange> ranges) implements SourceEvent {}
