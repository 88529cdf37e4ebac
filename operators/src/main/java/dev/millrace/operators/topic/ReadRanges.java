package dev.millrace.operators.topic;

import java.util.Map;
import org.apache.flink.api.connector.source.SourceEvent;

/**
 * Enumerator to reader, behind the last partition that the reader will be given: you may read now.
 *
 * @param ranges offsets of all partitions of the topic, seen after the reader opened
 */
record ReadRanges(Map<Integer, TopicRange> ranges) implements SourceEvent {}
