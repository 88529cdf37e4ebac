package dev.millrace.pipeline.topology;

import dev.millrace.pipeline.settings.RunSettings;
import dev.millrace.udfs.seed.Seeds;
import java.util.ArrayList;
import java.util.List;

/**
 * A run of a job.
 *
 * @param runId names it, in every record
 * @param seed of its random choices
 * @param weight its part of the rollout slots while all runs have work
 */
public record PlannedRun(String runId, long seed, double weight) {
    /**
     * The runs of a job: the one that it is named after, or one for each client.
     *
     * @param jobId the run's id; of several clients, what their runs' ids begin with
     */
    public static List<PlannedRun> of(String jobId, RunSettings settings) {
        if (settings.clients() == 1) {
            return List.of(new PlannedRun(jobId, settings.seed(), 1));
        }
        List<Double> weights = settings.weights();
        List<PlannedRun> runs = new ArrayList<>();
        for (int client = 1; client <= settings.clients(); client++) {
            long seed = Seeds.ofClient(settings.seed(), client);
            runs.add(new PlannedRun(jobId + "-c" + client, seed, weights.get(client - 1)));
        }
        return runs;
    }
}
