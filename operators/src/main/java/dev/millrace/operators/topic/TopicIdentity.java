package dev.millrace.operators.topic;

/**
 * Tells a topic from another one of the same name, for instance one that was deleted and made anew.
 * Offsets mean something only together with it.
 *
 * @param clusterId of the Kafka cluster
 * @param topicId given by the cluster when the topic was made
 * @param partitions how many it has
 */
public record TopicIdentity(String clusterId, String topicId, int partitions) {}
