package dev.millrace.udfs.model;

/**
 * A place in the topic that a run reads its training tasks from.
 *
 * @param partition of the topic
 * @param offset in it
 */
public record RowPosition(int partition, long offset) {}
