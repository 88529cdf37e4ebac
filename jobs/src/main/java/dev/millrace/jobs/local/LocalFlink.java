package dev.millrace.jobs.local;

import dev.millrace.pipeline.settings.FlinkSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.configuration.TaskManagerOptions;

/** Flink's settings for a run in this process. */
final class LocalFlink {
    static final int MAX_PARALLELISM = 128;

    private LocalFlink() {}

    /**
     * @param restore checkpoint or savepoint to start from
     */
    static Configuration configuration(
            FlinkSettings settings, RunFolder folder, int webPort, Optional<Path> restore) {
        Configuration c = new Configuration();
        c.set(PipelineOptions.GENERIC_TYPES, false);
        c.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
        c.set(PipelineOptions.MAX_PARALLELISM, MAX_PARALLELISM);
        c.set(PipelineOptions.OBJECT_REUSE, true);
        // Records are few and small: each is sent at once, without threads that flush every
        // millisecond.
        c.set(ExecutionOptions.BUFFER_TIMEOUT, Duration.ZERO);
        checkpoints(c, settings, folder);
        restarts(c);
        c.set(TaskManagerOptions.NUM_TASK_SLOTS, settings.parallelism());
        c.set(
                TaskManagerOptions.MANAGED_MEMORY_SIZE,
                MemorySize.ofMebiBytes(settings.managedMemoryMb()));
        c.set(JobManagerOptions.BIND_HOST, "127.0.0.1");
        c.set(TaskManagerOptions.BIND_HOST, "127.0.0.1");
        c.set(RestOptions.ADDRESS, "127.0.0.1");
        c.set(RestOptions.BIND_ADDRESS, "127.0.0.1");
        c.set(RestOptions.PORT, webPort);
        c.set(RestOptions.BIND_PORT, Integer.toString(webPort));
        restore.ifPresent(
                path -> c.set(StateRecoveryOptions.SAVEPOINT_PATH, path.toUri().toString()));
        return c;
    }

    private static void checkpoints(Configuration c, FlinkSettings settings, RunFolder folder) {
        c.set(StateBackendOptions.STATE_BACKEND, "rocksdb");
        c.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
        c.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, folder.checkpoints().toUri().toString());
        c.set(CheckpointingOptions.SAVEPOINT_DIRECTORY, folder.savepoints().toUri().toString());
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
    }
}
