package dev.millrace.pipeline.topology;

import dev.millrace.operators.topic.KafkaCluster;
import dev.millrace.operators.topic.TopicNames;
import dev.millrace.operators.watch.WatchSettings;
import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.udfs.model.PolicyRef;
import java.util.List;

/**
 * All that the job graph of a run, or of several, depends on.
 *
 * @param runId the run; of a job of several clients, what the ids of its runs begin with
 * @param recipe its settings
 * @param kafka how the topics are reached
 * @param topics their names
 * @param turnsPartitions partitions of the journal
 * @param ledgerUri folder of the Parquet tables
 * @param initialStateUri trainer state to start from; empty for the backend's own initial policy
 * @param reference policy that a KL term pulls towards; needed only when there is one
 * @param backends adapters
 */
public record RunPlan(
        String runId,
        Recipe recipe,
        KafkaCluster kafka,
        TopicNames topics,
        int turnsPartitions,
        String ledgerUri,
        String initialStateUri,
        PolicyRef reference,
        Backends backends) {

    /** The runs of the job. */
    public List<PlannedRun> runs() {
        return PlannedRun.of(runId, recipe.run());
    }

    /** Ids of the runs. */
    List<String> runIds() {
        return runs().stream().map(PlannedRun::runId).toList();
    }

    /** When a stage that stands still is reported: of the run, or of no run in particular. */
    WatchSettings watch() {
        String onlyRun = recipe.run().clients() == 1 ? runId : "";
        return new WatchSettings(
                onlyRun, recipe.limits().noProgressAfter().toMillis(), kafka, topics.rejects());
    }

    /** A plan whose topics are in a cluster that asks for no more than its address. */
    public RunPlan(
            String runId,
            Recipe recipe,
            String bootstrapServers,
            TopicNames topics,
            int turnsPartitions,
            String ledgerUri,
            String initialStateUri,
            PolicyRef reference,
            Backends backends) {
        this(
                runId,
                recipe,
                KafkaCluster.at(bootstrapServers),
                topics,
                turnsPartitions,
                ledgerUri,
                initialStateUri,
                reference,
                backends);
    }

    /** Where the topics are, {@code host:port}. */
    public String bootstrapServers() {
        return kafka.bootstrapServers();
    }
}
