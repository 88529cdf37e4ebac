package dev.millrace.operators.topic;

/**
 * What a topic of others is like.
 *
 * @param partitions how many it has
 * @param cleanupPolicy what becomes of old records, as Kafka says it
 */
public record TopicFacts(int partitions, String cleanupPolicy) {

    /** Whether records of one key replace each other. */
    public boolean compacted() {
        return cleanupPolicy.contains("compact");
    }
}
