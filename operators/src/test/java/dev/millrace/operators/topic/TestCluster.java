package dev.millrace.operators.topic;

import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.StreamSupport;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A Flink cluster in this JVM for a test class. */
public final class TestCluster implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Path dir;
    private final MiniCluster cluster;

    private TestCluster(Path dir, MiniCluster cluster) {
        this.dir = dir;
        this.cluster = cluster;
    }

    /**
     * @param dir for checkpoints and savepoints
     */
    public static TestCluster start(Path dir) throws Exception {
        Configuration conf = new Configuration();
        conf.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(128));
        conf.set(RestOptions.BIND_PORT, "0");
        MiniCluster cluster =
                new MiniCluster(
                        new MiniClusterConfiguration.Builder()
                                .setConfiguration(conf)
                                .setNumTaskManagers(1)
                                .setNumSlotsPerTaskManager(4)
                                .build());
        cluster.start();
        return new TestCluster(dir, cluster);
    }

    /** An environment that checkpoints and restarts after 100 ms. */
    public StreamExecutionEnvironment environment(Duration checkpointInterval, int restarts) {
        Configuration conf = new Configuration();
        conf.set(StateBackendOptions.STATE_BACKEND, "rocksdb");
        conf.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, dir.resolve("chk").toUri().toString());
        conf.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, checkpointInterval);
        conf.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, Integer.MAX_VALUE);
        conf.set(RestartStrategyOptions.RESTART_STRATEGY, restarts == 0 ? "none" : "fixed-delay");
        conf.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, restarts);
        conf.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(100));
        conf.set(ExecutionOptions.BUFFER_TIMEOUT, Duration.ofMillis(1));
        conf.set(PipelineOptions.MAX_PARALLELISM, 128);
        conf.set(PipelineOptions.GENERIC_TYPES, false);
        return StreamExecutionEnvironment.getExecutionEnvironment(conf);
    }

    public JobID submit(StreamExecutionEnvironment env) throws Exception {
        return submit(env, null);
    }

    /** Submits a job, restored from a savepoint unless that is null. */
    public JobID submit(StreamExecutionEnvironment env, String savepoint) throws Exception {
        JobGraph graph = env.getStreamGraph().getJobGraph();
        if (savepoint != null) {
            graph.setSavepointRestoreSettings(SavepointRestoreSettings.forPath(savepoint));
        }
        cluster.submitJob(graph).get();
        return graph.getJobID();
    }

    public void awaitRunning(JobID job) {
        await().atMost(PATIENCE)
                .until(() -> states(job).stream().allMatch(s -> s == ExecutionState.RUNNING));
    }

    /** State of every task. */
    public List<ExecutionState> states(JobID job) throws Exception {
        return StreamSupport.stream(graph(job).getAllExecutionVertices().spliterator(), false)
                .map(v -> v.getExecutionState())
                .toList();
    }

    public long completedCheckpoints(JobID job) throws Exception {
        return graph(job)
                .getCheckpointStatsSnapshot()
                .getCounts()
                .getNumberOfCompletedCheckpoints();
    }

    /** Waits until that many more checkpoints have completed. */
    public void awaitCheckpoints(JobID job, int more) throws Exception {
        long goal = completedCheckpoints(job) + more;
        await().atMost(PATIENCE).until(() -> completedCheckpoints(job) >= goal);
    }

    /** Takes one checkpoint now. */
    public void checkpoint(JobID job) throws Exception {
        cluster.triggerCheckpoint(job).get();
    }

    public String cancelWithSavepoint(JobID job) throws Exception {
        String at = dir.resolve("sp").toUri().toString();
        return cluster.triggerSavepoint(job, at, true, SavepointFormatType.CANONICAL).get();
    }

    public void cancel(JobID job) throws Exception {
        cluster.cancelJob(job).get();
        result(job).get();
    }

    public CompletableFuture<JobResult> result(JobID job) {
        return cluster.requestJobResult(job);
    }

    @Override
    public void close() throws Exception {
        cluster.close();
    }

    private AccessExecutionGraph graph(JobID job) throws Exception {
        return cluster.getExecutionGraph(job).get();
    }
}
