package dev.millrace.operators.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.operators.topic.broker.EmbeddedBroker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.ExceptionUtils;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopicSourceTest {
    private static final int READERS = 3;

    /** A refusal must end the job however often it may restart. */
    private static final int FOREVER = Integer.MAX_VALUE;

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    @TempDir static Path dir;
    private static TestCluster cluster;

    @BeforeAll
    static void startCluster() throws Exception {
        cluster = TestCluster.start(dir);
    }

    @AfterAll
    static void stopCluster() throws Exception {
        cluster.close();
    }

    @Test
    void everyReaderOfAnEmptyTopicCatchesUpAndStaysRunning() throws Exception {
        String topic = SharedBroker.newTopic(2);
        JobID job = submit(topic, 0, null);
        awaitSeen(topic, "caught-0", "caught-1", "caught-2");
        cluster.awaitCheckpoints(job, 2);
        assertAllRunning(job);
        cluster.cancel(job);
    }

    @Test
    void catchesUpBehindTheRecordsThatWereThereAndAgainAfterAFailure() throws Exception {
        String topic = SharedBroker.newTopic(1);
        SharedBroker.send(topic, 0, "k", "a");
        SharedBroker.send(topic, 0, "k", "b");
        JobID job = submit(topic, 10, null);
        awaitSeen(topic, "a", "b", "caught-0", "caught-1", "caught-2");
        assertThat(Probe.seen(topic)).containsSubsequence("a", "b", "caught-0");
        cluster.awaitCheckpoints(job, 2);
        Probe.SEEN.remove(topic);
        Probe.ARMED.add(topic);
        SharedBroker.send(topic, 0, "k", "boom");
        awaitSeen(topic, "boom", "boom", "caught-0");
        assertThat(Probe.seen(topic)).containsExactly("boom", "boom", "caught-0");
        cluster.cancel(job);
    }

    @Test
    void allReadersEndTogetherAndNoneMovesPastItsMarker() throws Exception {
        String topic = SharedBroker.newTopic(2);
        JobID job = submit(topic, 10, null);
        awaitSeen(topic, "caught-0", "caught-1", "caught-2");
        SharedBroker.sendFinal(topic, 0);
        SharedBroker.send(topic, 0, "k", "behind the marker");
        SharedBroker.send(topic, 1, "k", "c");
        awaitSeen(topic, "final-0", "c", "caught-0", "caught-1", "caught-2");
        cluster.awaitCheckpoints(job, 2);
        assertAllRunning(job);

        String savepoint = cluster.cancelWithSavepoint(job);
        Probe.SEEN.remove(topic);
        JobID restored = submit(topic, 10, savepoint);
        awaitSeen(topic, "final-0", "caught-0", "caught-1", "caught-2");
        cluster.awaitCheckpoints(restored, 1);
        assertAllRunning(restored);
        SharedBroker.sendFinal(topic, 1);
        JobResult result = cluster.result(restored).get(60, TimeUnit.SECONDS);
        assertThat(result.getJobStatus().orElseThrow()).isEqualTo(JobStatus.FINISHED);
        assertThat(Probe.seen(topic))
                .containsExactlyInAnyOrder(
                        "final-0", "final-1", "caught-0", "caught-1", "caught-2");
    }

    @Test
    void refusesAnotherTopicOfTheSameName() throws Exception {
        String topic = SharedBroker.newTopic(1);
        String savepoint = savepointAfter(topic, "a", "b");
        try (Admin admin = admin()) {
            admin.deleteTopics(Set.of(topic)).all().get();
        }
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(
                        () -> {
                            Topics.ensure(
                                    SharedBroker.bootstrap(), List.of(new TopicSpec(topic, 1)));
                            return true;
                        });
        assertThat(failure(submit(topic, FOREVER, savepoint)))
                .contains("is not the one this state was read from");
    }

    @Test
    void refusesATopicThatGrewAPartition() throws Exception {
        String topic = SharedBroker.newTopic(1);
        String savepoint = savepointAfter(topic, "a");
        try (Admin admin = admin()) {
            admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(2))).all().get();
        }
        assertThat(failure(submit(topic, FOREVER, savepoint)))
                .contains("partitions=1", "partitions=2");
    }

    @Test
    void refusesATopicOfAnotherCluster() throws Exception {
        String topic = SharedBroker.newTopic(1);
        String savepoint = savepointAfter(topic, "a");
        try (EmbeddedBroker other = EmbeddedBroker.start(dir.resolve("other-cluster"))) {
            Topics.ensure(other.bootstrapServers(), List.of(new TopicSpec(topic, 1)));
            assertThat(failure(submit(other.bootstrapServers(), topic, FOREVER, savepoint)))
                    .contains("is not the one this state was read from");
        }
    }

    @Test
    void refusesAnOffsetBeyondTheEndOfTheTopic() {
        Positions positions = new Positions("run.turns");
        TopicPartition partition = new TopicPartition("run.turns", 0);
        positions.add(new KafkaPartitionSplit(partition, 9));
        assertThatThrownBy(() -> positions.aim(Map.of(partition, new TopicRange(0, 8))))
                .isInstanceOf(TopicRefusedException.class)
                .hasMessageContaining("Restored offset 9 of run.turns/0 is outside")
                .hasMessageContaining("0 to 8");
    }

    @Test
    void refusesAnOffsetThatTheTopicNoLongerHolds() throws Exception {
        String topic = SharedBroker.newTopic(1);
        String savepoint = savepointAfter(topic, "a", "b");
        SharedBroker.send(topic, 0, "k", "c");
        try (Admin admin = admin()) {
            admin.deleteRecords(
                            Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(3)))
                    .all()
                    .get();
        }
        assertThat(failure(submit(topic, FOREVER, savepoint)))
                .contains("Restored offset 2 of " + topic + "/0 is outside");
    }

    private static String savepointAfter(String topic, String... values) throws Exception {
        for (String value : values) {
            SharedBroker.send(topic, 0, "k", value);
        }
        JobID job = submit(topic, 0, null);
        awaitSeen(topic, values);
        awaitSeen(topic, "caught-0");
        return cluster.cancelWithSavepoint(job);
    }

    private static String failure(JobID job) throws Exception {
        JobResult result = cluster.result(job).get(60, TimeUnit.SECONDS);
        assertThat(result.getJobStatus().orElseThrow()).isEqualTo(JobStatus.FAILED);
        return ExceptionUtils.stringifyException(result.getSerializedThrowable().orElseThrow());
    }

    private static JobID submit(String topic, int restarts, String savepoint) throws Exception {
        return submit(SharedBroker.bootstrap(), topic, restarts, savepoint);
    }

    private static JobID submit(String bootstrap, String topic, int restarts, String savepoint)
            throws Exception {
        StreamExecutionEnvironment env = cluster.environment(Duration.ofMillis(200), restarts);
        env.setParallelism(READERS);
        env.fromSource(new TopicSource(bootstrap, topic), WatermarkStrategy.noWatermarks(), "topic")
                .uid("topic")
                .map(new Probe())
                .uid("probe")
                .sinkTo(new DiscardingSink<>())
                .uid("end");
        return cluster.submit(env, savepoint);
    }

    private static void awaitSeen(String topic, String... wanted) {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> {
                            List<String> left = Probe.seen(topic);
                            for (String each : wanted) {
                                assertThat(left.remove(each)).as("%s in %s", each, left).isTrue();
                            }
                        });
    }

    private static void assertAllRunning(JobID job) throws Exception {
        assertThat(cluster.states(job)).hasSize(READERS).containsOnly(ExecutionState.RUNNING);
    }

    private static Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", (Object) SharedBroker.bootstrap()));
    }

    /** Notes what it sees, by topic, and fails once for a record "boom" of an armed topic. */
    static final class Probe implements MapFunction<TopicRecord, String> {
        private static final long serialVersionUID = 1L;
        static final Map<String, Queue<String>> SEEN = new ConcurrentHashMap<>();
        static final Set<String> ARMED = ConcurrentHashMap.newKeySet();

        static List<String> seen(String topic) {
            return new ArrayList<>(SEEN.getOrDefault(topic, new ConcurrentLinkedQueue<>()));
        }

        @Override
        public String map(TopicRecord record) {
            String value = new String(record.value(), StandardCharsets.UTF_8);
            String text =
                    switch (record.kind()) {
                        case DATA -> value;
                        case CAUGHT_UP -> "caught-" + record.readerIndex();
                        case FINAL -> "final-" + record.partition();
                    };
            SEEN.computeIfAbsent(record.topic(), t -> new ConcurrentLinkedQueue<>()).add(text);
            if (value.equals("boom") && ARMED.remove(record.topic())) {
                throw new IllegalStateException("injected");
            }
            return text;
        }
    }
}
