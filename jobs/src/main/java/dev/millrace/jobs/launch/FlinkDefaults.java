package dev.millrace.jobs.launch;

import dev.millrace.pipeline.settings.FlinkSettings;
import dev.millrace.pipeline.topology.RunPlan;
import dev.millrace.pipeline.topology.TrainTopology;
import java.time.Duration;
import java.util.Optional;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Flink's settings of a run's job, wherever it runs. */
public final class FlinkDefaults {
    /** Key groups; fixed for the life of a run. */
    public static final int MAX_PARALLELISM = 128;

    private FlinkDefaults() {}

    /**
     * Settings that travel with the job.
     *
     * @param checkpoints URI of the folder of checkpoints, which every process of the cluster sees
     * @param savepoints URI of the folder where savepoints go when nobody says otherwise
     * @param restore checkpoint or savepoint to start from
     */
    public static Configuration job(
            FlinkSettings settings,
            String checkpoints,
            String savepoints,
            Optional<String> restore) {
        Configuration c = new Configuration();
        c.set(PipelineOptions.GENERIC_TYPES, false);
        c.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
        c.set(PipelineOptions.MAX_PARALLELISM, MAX_PARALLELISM);
        c.set(PipelineOptions.OBJECT_REUSE, true);
        // Records are few and small: each is sent at once, without threads that flush every
        // millisecond.
        c.set(ExecutionOptions.BUFFER_TIMEOUT, Duration.ZERO);
        checkpoints(c, settings, checkpoints, savepoints);
        restarts(c);
        restore.ifPresent(path -> c.set(StateRecoveryOptions.SAVEPOINT_PATH, path));
        return c;
    }

    /** Adds a run to an environment that has these settings. */
    public static void build(StreamExecutionEnvironment env, RunPlan plan) {
        env.setParallelism(plan.recipe().flink().parallelism());
        env.setMaxParallelism(MAX_PARALLELISM);
        TrainTopology.build(env, plan);
    }

    private static void checkpoints(
            Configuration c, FlinkSettings settings, String checkpoints, String savepoints) {
        c.set(StateBackendOptions.STATE_BACKEND, "rocksdb");
        c.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
        c.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpoints);
        c.set(CheckpointingOptions.SAVEPOINT_DIRECTORY, savepoints);
        c.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, settings.checkpointInterval());
        c.set(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS, 2);
        c.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        // A region that restarts must not bring the others down with it.
        c.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, Integer.MAX_VALUE);
    }

    private static void restarts(Configuration c) {
        c.set(RestartStrategyOptions.RESTART_STRATEGY, "exponential-delay");
        c.set(
                RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_INITIAL_BACKOFF,
                Duration.ofMillis(500));
        c.set(
                RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF,
                Duration.ofSeconds(10));
        // Failures that have nothing to do with each other must not wait for each other's sake:
        // after an hour, which is Flink's threshold, a long run would wait the most each time.
        c.set(
                RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_RESET_BACKOFF_THRESHOLD,
                Duration.ofMinutes(1));
    }
}
