package dev.millrace.pipeline.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.operators.topic.TopicNames;
import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.operators.topic.TopicSource;
import dev.millrace.operators.topic.TopicSpec;
import dev.millrace.operators.topic.Topics;
import dev.millrace.operators.topic.Wire;
import dev.millrace.operators.topic.broker.EmbeddedBroker;
import dev.millrace.operators.watch.WatchSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ledger, killed again and again while files are closed and while they are committed. */
class LedgerKillsTest {
    private static final TopicNames NAMES = new TopicNames("kills");
    private static final int KILLS = 50;
    private static final AtomicInteger KILLED = new AtomicInteger();
    private static final Duration PATIENCE = Duration.ofMinutes(6);

    @TempDir private Path folder;

    @Test
    void everyRowIsThereOnceHoweverOftenItIsKilledWhileFilesAreClosedAndCommitted()
            throws Exception {
        int groups = 0;
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("kafka"));
                KafkaProducer<String, byte[]> producer = producer(broker.bootstrapServers())) {
            Topics.ensure(broker.bootstrapServers(), specs());
            JobClient job = start(broker.bootstrapServers());
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (KILLED.get() < KILLS && System.nanoTime() < deadline) {
                write(producer, groups++);
                int seen = KILLED.get();
                await().atMost(PATIENCE).until(() -> KILLED.get() > seen);
            }
            write(producer, groups++);
            for (TopicSpec spec : specs()) {
                producer.send(
                                new ProducerRecord<>(
                                        spec.name(), 0, TopicRecord.FINAL_KEY, new byte[0]))
                        .get();
            }
            job.getJobExecutionResult().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
        assertThat(KILLED).hasValue(KILLS);
        assertRows(LedgerTable.GROUPS, "group_id", groups);
        assertRows(LedgerTable.ATTEMPTS, "attempt_id", 3 * groups);
        assertRows(LedgerTable.STEPS, "step", groups);
        assertRows(LedgerTable.PROGRESS, "group_id", groups);
    }

    private void assertRows(LedgerTable table, String id, int rows) throws Exception {
        assertThat(new LedgerReader(folder.resolve("ledger")).rows(table))
                .hasSize(rows)
                .extracting(row -> row.get(id).toString())
                .doesNotHaveDuplicates();
    }

    /** A group, its fate and a step; the step before is said again, as after a restore. */
    private static void write(KafkaProducer<String, byte[]> producer, int i) throws Exception {
        send(producer, NAMES.groups(), Wire.encode(LedgerRecords.group(i, "first")));
        send(producer, NAMES.progress(), Wire.encode(LedgerRecords.taken(i, i)));
        send(producer, NAMES.policies(), Wire.encode(LedgerRecords.publication(i)));
        if (i > 0) {
            send(producer, NAMES.policies(), Wire.encode(LedgerRecords.publication(i - 1)));
            send(producer, NAMES.groups(), Wire.encode(LedgerRecords.group(i - 1, "again")));
        }
    }

    private JobClient start(String bootstrap) throws Exception {
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.createLocalEnvironment(1, configuration());
        List<DataStream<TopicRecord>> streams = new ArrayList<>();
        for (TopicSpec spec : specs()) {
            DataStream<TopicRecord> stream =
                    env.fromSource(
                                    new TopicSource(bootstrap, spec.name()),
                                    WatermarkStrategy.noWatermarks(),
                                    spec.name())
                            .uid(spec.name());
            streams.add(
                    spec.name().equals(NAMES.groups())
                            ? stream.map(new Killer()).uid("killer")
                            : stream);
        }
        LedgerStage.attach(
                        streams,
                        NAMES,
                        folder.resolve("ledger").toUri().toString(),
                        1,
                        WatchSettings.OFF)
                .sinkTo(new DiscardingSink<>())
                .uid("discard");
        return env.executeAsync("ledger");
    }

    private Configuration configuration() {
        Configuration conf = new Configuration();
        conf.set(StateBackendOptions.STATE_BACKEND, "hashmap");
        conf.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(60));
        conf.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, Integer.MAX_VALUE);
        conf.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                folder.resolve("checkpoints").toUri().toString());
        conf.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        conf.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, KILLS + 5);
        conf.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(10));
        conf.set(PipelineOptions.GENERIC_TYPES, false);
        conf.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
        return conf;
    }

    /**
     * Fails its region by turns while a checkpoint is taken, when files are closed, and when it is
     * said to be complete, when they are committed; each time only after it has passed a record.
     */
    private static final class Killer
            implements MapFunction<TopicRecord, TopicRecord>,
                    CheckpointedFunction,
                    CheckpointListener {
        private static final long serialVersionUID = 1L;
        private int passed;
        private int taken;

        @Override
        public TopicRecord map(TopicRecord record) {
            passed++;
            return record;
        }

        @Override
        public void snapshotState(FunctionSnapshotContext context) {
            taken++;
            kill(0, taken);
        }

        @Override
        public void notifyCheckpointComplete(long checkpointId) {
            kill(1, taken);
        }

        @Override
        public void initializeState(FunctionInitializationContext context) {
            // It keeps nothing.
        }

        private void kill(int turn, int checkpoints) {
            int killed = KILLED.get();
            boolean due = killed < KILLS && killed % 2 == turn && checkpoints > killed % 3;
            if (due && passed > 0) {
                KILLED.incrementAndGet();
                throw new IllegalStateException("injected");
            }
        }
    }

    private static List<TopicSpec> specs() {
        return List.of(
                new TopicSpec(NAMES.groups(), 1),
                new TopicSpec(NAMES.policies(), 1),
                new TopicSpec(NAMES.progress(), 1));
    }

    private static void send(KafkaProducer<String, byte[]> producer, String topic, byte[] value)
            throws Exception {
        producer.send(new ProducerRecord<>(topic, 0, "k", value)).get();
    }

    private static KafkaProducer<String, byte[]> producer(String bootstrap) {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap),
                new StringSerializer(),
                new ByteArraySerializer());
    }
}
