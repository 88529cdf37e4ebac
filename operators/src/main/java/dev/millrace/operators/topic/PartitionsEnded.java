package dev.millrace.operators.topic;

import org.apache.flink.api.connector.source.SourceEvent;

/**
 * Reader to enumerator: all my partitions have ended. Enumerator to reader: all partitions of all
 * readers have, you may end.
 */
record PartitionsEnded() implements SourceEvent {}
