package dev.millrace.operators.topic;

/**
 * What a topic must be.
 *
 * @param name full name
 * @param partitions how many
 */
public record TopicSpec(String name, int partitions) {}
