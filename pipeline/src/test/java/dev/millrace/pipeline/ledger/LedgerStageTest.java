package dev.millrace.pipeline.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.operators.topic.TopicNames;
import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.operators.topic.TopicSource;
import dev.millrace.operators.topic.TopicSpec;
import dev.millrace.operators.topic.Topics;
import dev.millrace.operators.topic.Wire;
import dev.millrace.operators.topic.broker.EmbeddedBroker;
import dev.millrace.operators.watch.WatchSettings;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Reject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.avro.generic.GenericRecord;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerStageTest {
    private static final TopicNames NAMES = new TopicNames("ledger");
    private static final int GROUPS = 60;
    private static final int FAIL_AT = 50;
    private static final Queue<ProgressRecord> DRAINED = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger SEEN = new AtomicInteger();
    private static final AtomicInteger FAILURES = new AtomicInteger();

    @TempDir private static Path folder;

    @Test
    void writesEachIdOnceAcrossAFailure() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("kafka"));
                KafkaProducer<String, byte[]> producer = producer(broker.bootstrapServers())) {
            makeTopics(broker.bootstrapServers());
            writeFirstHalf(producer);
            JobClient job = start(broker.bootstrapServers());
            Awaitility.await()
                    .atMost(Duration.ofMinutes(2))
                    .until(() -> !reader().rows(LedgerTable.GROUPS).isEmpty());
            writeSecondHalf(producer);
            Awaitility.await()
                    .atMost(Duration.ofMinutes(2))
                    .until(() -> !DRAINED.isEmpty() && FAILURES.get() == 1);
            finish(producer);
            job.getJobExecutionResult().get();
        }
        assertTables();
        assertThat(DRAINED)
                .containsOnly(
                        new ProgressRecord(
                                LedgerRecords.RUN,
                                ProgressRecord.Kind.DRAINED,
                                "ledger",
                                0,
                                "",
                                -1,
                                -1,
                                ""));
    }

    private static void assertTables() throws Exception {
        List<GenericRecord> groups = reader().rows(LedgerTable.GROUPS);
        assertThat(groups).hasSize(GROUPS);
        assertThat(groups).extracting(g -> g.get("group_id").toString()).doesNotHaveDuplicates();
        assertThat(groups)
                .as("the first record of a group is that group")
                .allMatch(group -> group.get("admission_id").toString().equals("first"));
        assertThat(groups.get(7).get("rewards")).isEqualTo(List.of(1.0, 0.0));

        List<GenericRecord> attempts = reader().rows(LedgerTable.ATTEMPTS);
        assertThat(attempts)
                .hasSize(3 * GROUPS)
                .extracting(attempt -> attempt.get("attempt_id").toString())
                .doesNotHaveDuplicates();
        GenericRecord solved = attempts.get(0);
        assertThat(solved.get("flags")).hasToString("[reward_preexisting, other]");
        assertThat(solved.get("failure_cause")).isNull();

        assertThat(reader().rows(LedgerTable.TURNS))
                .hasSize(2 * GROUPS)
                .filteredOn(turn -> turn.get("kind").toString().equals("SAMPLED"))
                .hasSize(GROUPS)
                .allMatch(turn -> turn.get("generated_tokens").equals(3));
        List<GenericRecord> steps = reader().rows(LedgerTable.STEPS);
        assertThat(steps).hasSize(10);
        assertThat(steps.get(3).get("metrics")).hasToString("{loss=-1.5, ratio=NaN}");
        assertThat(reader().rows(LedgerTable.PROGRESS)).hasSize(GROUPS);
        assertThat(reader().rows(LedgerTable.REJECTS))
                .extracting(reject -> reject.get("reason").toString())
                .containsExactlyInAnyOrder("odd", "undecodable");
    }

    /** Groups 0 to 29, each with its turns and its fate, and a line that is no group. */
    private static void writeFirstHalf(KafkaProducer<String, byte[]> producer) throws Exception {
        send(producer, NAMES.groups(), "{nonsense".getBytes(StandardCharsets.UTF_8));
        send(producer, NAMES.rejects(), Wire.encode(new Reject("run-1", "gate", "odd", "k", "d")));
        writeGroups(producer, 0, GROUPS / 2);
    }

    /** The other groups, then repeats of the first ones and of all steps. */
    private static void writeSecondHalf(KafkaProducer<String, byte[]> producer) throws Exception {
        writeGroups(producer, GROUPS / 2, GROUPS);
        for (int i = 0; i < GROUPS / 2; i++) {
            send(producer, NAMES.groups(), Wire.encode(LedgerRecords.group(i, "second")));
            send(producer, NAMES.turns(), Wire.encode(LedgerRecords.sampled(i, 0, 0)));
        }
        for (int repeat = 0; repeat < 2; repeat++) {
            for (int step = 0; step < 10; step++) {
                send(producer, NAMES.policies(), Wire.encode(LedgerRecords.publication(step)));
            }
        }
        send(producer, NAMES.groups(), Wire.encode(GroupRecord.drained(LedgerRecords.RUN, "")));
    }

    private static void writeGroups(KafkaProducer<String, byte[]> producer, int from, int to)
            throws Exception {
        for (int i = from; i < to; i++) {
            send(producer, NAMES.turns(), Wire.encode(LedgerRecords.admitted(i, 0)));
            send(producer, NAMES.turns(), Wire.encode(LedgerRecords.sampled(i, 0, 0)));
            send(producer, NAMES.groups(), Wire.encode(LedgerRecords.group(i, "first")));
            send(producer, NAMES.progress(), Wire.encode(LedgerRecords.taken(i, i / 6)));
        }
    }

    private static void finish(KafkaProducer<String, byte[]> producer) throws Exception {
        for (String topic : topics()) {
            producer.send(new ProducerRecord<>(topic, 0, TopicRecord.FINAL_KEY, new byte[0])).get();
        }
    }

    private static JobClient start(String bootstrap) throws Exception {
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.createLocalEnvironment(2, configuration());
        List<DataStream<TopicRecord>> streams = new ArrayList<>();
        for (String topic : topics()) {
            DataStream<TopicRecord> stream =
                    env.fromSource(
                                    new TopicSource(bootstrap, topic),
                                    WatermarkStrategy.noWatermarks(),
                                    topic)
                            .uid(topic)
                            .setParallelism(1);
            streams.add(
                    topic.equals(NAMES.groups())
                            ? stream.map(new FailOnce()).uid("fail").setParallelism(1)
                            : stream);
        }
        LedgerStage.attach(
                        streams,
                        NAMES,
                        folder.resolve("ledger").toUri().toString(),
                        2,
                        WatchSettings.OFF)
                .map(new Collect())
                .uid("collect")
                .sinkTo(new DiscardingSink<>())
                .uid("discard");
        return env.executeAsync("ledger");
    }

    private static Configuration configuration() {
        Configuration conf = new Configuration();
        conf.set(StateBackendOptions.STATE_BACKEND, "rocksdb");
        conf.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(300));
        conf.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, Integer.MAX_VALUE);
        conf.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                folder.resolve("checkpoints").toUri().toString());
        conf.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        conf.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 3);
        conf.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(50));
        conf.set(PipelineOptions.GENERIC_TYPES, false);
        conf.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
        return conf;
    }

    /** Fails in the second half, after checkpoints have made files of the first. */
    private static final class FailOnce implements MapFunction<TopicRecord, TopicRecord> {
        private static final long serialVersionUID = 1L;

        @Override
        public TopicRecord map(TopicRecord record) {
            if (SEEN.incrementAndGet() >= FAIL_AT && FAILURES.compareAndSet(0, 1)) {
                throw new IllegalStateException("injected");
            }
            return record;
        }
    }

    private static final class Collect implements MapFunction<ProgressRecord, String> {
        private static final long serialVersionUID = 1L;

        @Override
        public String map(ProgressRecord record) {
            DRAINED.add(record);
            return record.runId();
        }
    }

    private static List<String> topics() {
        return List.of(
                NAMES.groups(), NAMES.policies(), NAMES.progress(), NAMES.turns(), NAMES.rejects());
    }

    private static void makeTopics(String bootstrap) {
        List<TopicSpec> specs = topics().stream().map(topic -> new TopicSpec(topic, 1)).toList();
        Awaitility.await().ignoreExceptions().untilAsserted(() -> Topics.ensure(bootstrap, specs));
    }

    private static LedgerReader reader() {
        return new LedgerReader(folder.resolve("ledger"));
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
