package dev.millrace.operators.watch;

import dev.millrace.operators.topic.TopicWriter;
import dev.millrace.udfs.model.Reject;
import java.io.Serializable;
import java.util.function.Consumer;

/**
 * When a stage that stands still is reported, and where.
 *
 * @param runId the run
 * @param afterMillis how long nothing may move while there is work; 0 for never
 * @param bootstrapServers of the Kafka cluster; empty to report in the log only
 * @param topic full name of the topic {@code rejects}
 */
public record WatchSettings(String runId, long afterMillis, String bootstrapServers, String topic)
        implements Serializable {

    /** Nothing is watched. */
    public static final WatchSettings OFF = new WatchSettings("", 0, "", "");

    /** Watches a subtask. */
    public StageWatch open(StagePulse pulse) {
        return new StageWatch(pulse, afterMillis, this::write);
    }

    /** Seldom enough for a writer of its own each time. */
    private void write(NoProgress found) {
        if (bootstrapServers.isEmpty()) {
            return;
        }
        Consumer<Throwable> failed = e -> StageWatch.LOG.warn("No progress was not written", e);
        try (TopicWriter writer = new TopicWriter(bootstrapServers, topic, failed)) {
            Reject reject = found.toReject();
            writer.append(reject.stage(), reject);
        }
    }
}
