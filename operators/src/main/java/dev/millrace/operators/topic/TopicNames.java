package dev.millrace.operators.topic;

import java.util.List;

/**
 * Names of the topics that share a prefix.
 *
 * @param prefix of all of them; a name is {@code <prefix>.<topic>}
 */
public record TopicNames(String prefix) {

    /** The catalogue; one partition. */
    public String tasks() {
        return prefix + ".tasks";
    }

    /** The journal of the durable steps. */
    public String turns() {
        return prefix + ".turns";
    }

    /** Closed groups; one partition. */
    public String groups() {
        return prefix + ".groups";
    }

    /** Announcements and publications; one partition. */
    public String policies() {
        return prefix + ".policies";
    }

    /** What became of closed groups; one partition. */
    public String progress() {
        return prefix + ".progress";
    }

    /** Records that left the stream; one partition. */
    public String rejects() {
        return prefix + ".rejects";
    }

    /**
     * What {@link Topics#ensure} needs to make them all.
     *
     * @param turnsPartitions partitions of the journal; the others have one, since their order
     *     counts
     */
    public List<TopicSpec> specs(int turnsPartitions) {
        return List.of(
                new TopicSpec(tasks(), 1),
                new TopicSpec(turns(), turnsPartitions),
                new TopicSpec(groups(), 1),
                new TopicSpec(policies(), 1),
                new TopicSpec(progress(), 1),
                new TopicSpec(rejects(), 1));
    }
}
