package dev.millrace.operators.watch;

import dev.millrace.operators.topic.KafkaCluster;
import dev.millrace.operators.topic.TopicWriter;
import dev.millrace.udfs.model.Reject;
import java.io.Serializable;
import java.util.function.Consumer;

/**
 * When a stage that stands still is reported, and where.
 *
 * @param runId the run
 * @param afterMillis how long nothing may move while there is work; 0 for never
 * @param cluster where the topic is; null to report in the log only
 * @param topic full name of the topic {@code rejects}
 */
public record WatchSettings(String runId, long afterMillis, KafkaCluster cluster, String topic)
        implements Serializable {

    /** Nothing is watched. */
    public static final WatchSettings OFF = new WatchSettings("", 0, null, "");

    /** Watches a subtask. */
    public StageWatch open(StagePulse pulse) {
        return new StageWatch(pulse, afterMillis, this::write);
    }

    /** Seldom enough for a writer of its own each time. */
    private void write(NoProgress found) {
        if (cluster == null) {
            return;
        }
        Consumer<Throwable> failed = e -> StageWatch.LOG.warn("No progress was not written", e);
        try (TopicWriter writer = new TopicWriter(cluster, topic, failed)) {
            Reject reject = found.toReject();
            writer.append(reject.stage(), reject);
        }
    }
}
