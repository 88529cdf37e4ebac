package dev.millrace.pipeline.topology;

import dev.millrace.operators.topic.TopicNames;
import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.operators.topic.Topics;
import dev.millrace.operators.topic.Wire;
import dev.millrace.operators.topic.broker.EmbeddedBroker;
import dev.millrace.pipeline.ledger.LedgerReader;
import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.pipeline.settings.RecipeReader;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.Task;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
import org.apache.flink.runtime.checkpoint.CheckpointStatsCounts;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionJobVertex;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A whole run on a cluster in this JVM, with fakes outside. */
final class FakeRun implements AutoCloseable {
    private static final Path DEMO = Path.of("../recipes/demo.yaml");
    private static final Duration PATIENCE = Duration.ofMinutes(6);

    final String runId;
    final FakeBackends backends;
    private final String bootstrap;
    private final RunPlan plan;
    private final Path folder;
    private String checkpoints;
    private MiniCluster cluster;
    private JobID job;
    private Duration restartDelay = Duration.ofMillis(200);
    private Duration checkpointInterval = Duration.ofMillis(500);

    FakeRun(
            EmbeddedBroker broker,
            Path folder,
            String name,
            long latencyMillis,
            String... overrides)
            throws Exception {
        this(broker, folder, name, new FakeBackends(name, latencyMillis), overrides);
    }

    FakeRun(EmbeddedBroker broker, Path folder, String name, Backends outside, String... overrides)
            throws Exception {
        this(broker, folder, name, folder.resolve("ledger").toUri().toString(), outside, overrides);
        tasks(24);
    }

    private FakeRun(
            EmbeddedBroker broker,
            Path folder,
            String name,
            String ledgerUri,
            Backends outside,
            String... overrides)
            throws Exception {
        this.runId = name + "-1";
        this.bootstrap = broker.bootstrapServers();
        this.folder = folder;
        this.checkpoints = "file:" + folder.resolve("checkpoints");
        this.backends = outside instanceof FakeBackends fake ? fake : null;
        Recipe recipe = RecipeReader.read(List.of(DEMO), small(overrides));
        TopicNames topics = new TopicNames(name);
        plan =
                new RunPlan(
                        runId,
                        recipe,
                        bootstrap,
                        topics,
                        2,
                        ledgerUri,
                        "",
                        new PolicyRef(new PolicyVersion(0, 0), "fake:0"),
                        outside);
        Topics.ensure(bootstrap, topics.specs(2));
    }

    /** A run that was begun elsewhere: its topics and its catalogue are there. */
    static FakeRun begun(
            EmbeddedBroker broker, Path folder, String name, String ledgerUri, String... overrides)
            throws Exception {
        return new FakeRun(broker, folder, name, ledgerUri, new FakeBackends(name, 5), overrides);
    }

    /** A new run whose ledger lies elsewhere. */
    static FakeRun onLedger(
            EmbeddedBroker broker,
            Path folder,
            String name,
            String ledgerUri,
            long latencyMillis,
            String... overrides)
            throws Exception {
        FakeRun run =
                new FakeRun(
                        broker,
                        folder,
                        name,
                        ledgerUri,
                        new FakeBackends(name, latencyMillis),
                        overrides);
        run.tasks(24);
        return run;
    }

    private static List<String> small(String... overrides) {
        List<String> all =
                new ArrayList<>(
                        List.of(
                                "rollout.slots=8",
                                "rollout.groupSize=4",
                                "rollout.contextTokens=500",
                                "grading.minValidAttempts=3",
                                "train.groupsPerBatch=2",
                                "train.groupsPerMinibatch=1",
                                "train.passes=1",
                                "train.saveEverySteps=2",
                                "flink.parallelism=2",
                                "eval.attempts=2",
                                "eval.slots=4"));
        all.addAll(List.of(overrides));
        return all;
    }

    /** Has checkpoints written through another file system. */
    void checkpointsBy(String scheme) {
        checkpoints = scheme + ":" + folder.resolve("checkpoints");
    }

    /** Has checkpoints written to another place. */
    void checkpointsAt(String uri) {
        checkpoints = uri;
    }

    void start(String savepoint) throws Exception {
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.getExecutionEnvironment(configuration());
        env.setMaxParallelism(128);
        env.setParallelism(plan.recipe().flink().parallelism());
        TrainTopology.build(env, plan);
        JobGraph graph = env.getStreamGraph().getJobGraph();
        if (savepoint != null) {
            graph.setSavepointRestoreSettings(SavepointRestoreSettings.forPath(savepoint));
        }
        cluster =
                new MiniCluster(
                        new MiniClusterConfiguration.Builder()
                                .setConfiguration(configuration())
                                .setNumTaskManagers(1)
                                .setNumSlotsPerTaskManager(
                                        TrainTopology.slots(plan.recipe().flink()))
                                .build());
        cluster.start();
        job = graph.getJobID();
        cluster.submitJob(graph).get();
    }

    /** How long a region waits before it restarts, and how often checkpoints come meanwhile. */
    void pace(Duration delay, Duration interval) {
        restartDelay = delay;
        checkpointInterval = interval;
    }

    /** Ends the one task manager with all its tasks, and starts another. */
    void killTaskManager() throws Exception {
        cluster.terminateTaskManager(0).get();
        cluster.startTaskManager();
    }

    boolean isOver() throws Exception {
        return cluster.getJobStatus(job).get().isGloballyTerminalState();
    }

    /** How many checkpoints were completed, and how many failed. */
    CheckpointStatsCounts checkpoints() throws Exception {
        return cluster.getExecutionGraph(job).get().getCheckpointStatsSnapshot().getCounts();
    }

    /** State of every task. */
    List<ExecutionState> states() throws Exception {
        List<ExecutionState> states = new ArrayList<>();
        cluster.getExecutionGraph(job)
                .get()
                .getAllExecutionVertices()
                .forEach(task -> states.add(task.getExecutionState()));
        return states;
    }

    /** The ledger, as far as it can be read. */
    LedgerReader ledger() {
        return new LedgerReader(folder.resolve("ledger"));
    }

    /** Waits for the end of the job and says how it ended; fails with where it stands instead. */
    String end() throws Exception {
        try {
            return cluster.requestJobResult(job)
                    .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                    .getJobStatus()
                    .orElseThrow()
                    .name();
        } catch (TimeoutException e) {
            String stalled = StallReport.of(this, cluster.getExecutionGraph(job).get());
            throw new AssertionError(runId + " does not end:\n" + stalled, e);
        }
    }

    String savepoint() throws Exception {
        return cluster.triggerSavepoint(
                        job,
                        folder.resolve("savepoints").toUri().toString(),
                        false,
                        SavepointFormatType.CANONICAL)
                .get();
    }

    /** Ends the cluster as it is. */
    void kill() throws Exception {
        cluster.close();
    }

    String stopWithSavepoint() throws Exception {
        String savepoint =
                cluster.stopWithSavepoint(
                                job,
                                folder.resolve("savepoints").toUri().toString(),
                                false,
                                SavepointFormatType.NATIVE)
                        .get();
        cluster.close();
        return savepoint;
    }

    /** How often the vertex with that operator has been restarted, at most over its subtasks. */
    int restarts(String operator) {
        int most = 0;
        try {
            for (AccessExecutionJobVertex vertex :
                    cluster.getExecutionGraph(job).get().getVerticesTopologically()) {
                if (vertex.getName().contains(operator)) {
                    for (AccessExecutionVertex task : vertex.getTaskVertices()) {
                        most = Math.max(most, task.getCurrentExecutionAttempt().getAttemptNumber());
                    }
                }
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return most;
    }

    /** All records of a topic, in order; also those behind a final marker. */
    <T> List<T> read(String topic, Class<T> type) {
        return read(topic, type, false);
    }

    /** The records of a topic of one partition that come before its final marker. */
    <T> List<T> readToTheMarker(String topic, Class<T> type) {
        return read(topic, type, true);
    }

    private <T> List<T> read(String topic, Class<T> type, boolean toTheMarker) {
        List<T> records = new ArrayList<>();
        for (ConsumerRecord<String, byte[]> record : all(topic)) {
            boolean marker = TopicRecord.FINAL_KEY.equals(record.key());
            if (marker && toTheMarker) {
                break;
            }
            if (!marker) {
                records.add(Wire.decode(record.value(), type));
            }
        }
        return records;
    }

    /** Whether some partition of a topic has its final marker. */
    boolean hasMarker(String topic) {
        return all(topic).stream().anyMatch(r -> TopicRecord.FINAL_KEY.equals(r.key()));
    }

    private List<ConsumerRecord<String, byte[]>> all(String topic) {
        Map<String, Object> settings = Map.of("bootstrap.servers", bootstrap);
        List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<String, byte[]> consumer =
                new KafkaConsumer<>(
                        settings, new StringDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions =
                    consumer.partitionsFor(topic).stream()
                            .map(p -> new TopicPartition(topic, p.partition()))
                            .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> end = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(p -> consumer.position(p) < end.get(p))) {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
            }
        }
        return records;
    }

    /** Ids of the runs of its job. */
    List<String> runIds() {
        return plan.runIds();
    }

    TopicNames topics() {
        return plan.topics();
    }

    @Override
    public void close() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
    }

    private void tasks(int count) throws Exception {
        Map<String, Object> settings = Map.of("bootstrap.servers", bootstrap);
        try (KafkaProducer<String, byte[]> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer())) {
            for (String run : runIds()) {
                for (int i = 0; i < count; i++) {
                    Split split = i < 4 ? Split.TEST : Split.TRAIN;
                    if (split == Split.TRAIN && plan.recipe().tasks().fromTopic()) {
                        continue;
                    }
                    byte[] task = Wire.encode(new Task("task-" + i, "fake:" + i, split, ""));
                    producer.send(new ProducerRecord<>(plan.topics().tasks(), run, task)).get();
                }
            }
        }
    }

    private Configuration configuration() {
        Configuration c = new Configuration();
        c.set(PipelineOptions.GENERIC_TYPES, false);
        c.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
        c.set(PipelineOptions.OBJECT_REUSE, true);
        c.set(ExecutionOptions.BUFFER_TIMEOUT, Duration.ofMillis(1));
        c.set(StateBackendOptions.STATE_BACKEND, "rocksdb");
        c.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
        c.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpoints);
        c.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, checkpointInterval);
        c.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, Integer.MAX_VALUE);
        c.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        c.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 50);
        c.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, restartDelay);
        c.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(128));
        c.set(RestOptions.BIND_PORT, "0");
        return c;
    }
}
