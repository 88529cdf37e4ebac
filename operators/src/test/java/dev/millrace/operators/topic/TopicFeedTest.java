package dev.millrace.operators.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.udfs.model.RowDemand;
import dev.millrace.udfs.model.RowPosition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.ExceptionUtils;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A topic of others, read beside a run's own one. */
class TopicFeedTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String DEMAND = RowDemand.key("run");

    /** Far more than a limit and what the client has fetched by the time it is reached. */
    private static final int ROWS = 1000;

    @TempDir static Path dir;
    private static TestCluster cluster;
    private String own;
    private String feed;

    @BeforeAll
    static void startCluster() throws Exception {
        cluster = TestCluster.start(dir);
    }

    @AfterAll
    static void stopCluster() throws Exception {
        cluster.close();
    }

    @BeforeEach
    void makeTopics() {
        own = SharedBroker.newTopic(1);
        feed = SharedBroker.newTopic(2);
    }

    private JobID submit(String savepoint) throws Exception {
        StreamExecutionEnvironment env =
                cluster.environment(Duration.ofMillis(200), Integer.MAX_VALUE);
        env.setParallelism(1);
        env.fromSource(
                        new TopicSource(
                                KafkaCluster.at(SharedBroker.bootstrap()),
                                own,
                                new TopicFeed(feed, DEMAND)),
                        WatermarkStrategy.noWatermarks(),
                        "topic")
                .uid("topic")
                .map(new TopicSourceTest.Probe())
                .uid("probe")
                .sinkTo(new DiscardingSink<>())
                .uid("end");
        return cluster.submit(env, savepoint);
    }

    private void demand(int ahead, RowPosition... limits) {
        byte[] demand = Wire.encode(new RowDemand(List.of(limits), ahead));
        SharedBroker.send(own, 0, DEMAND, demand);
    }

    private void rows(int partition, int from, int to) {
        for (int i = from; i < to; i++) {
            SharedBroker.send(feed, partition, null, partition + "-" + i);
        }
    }

    private List<String> seen() {
        return TopicSourceTest.Probe.seen(feed);
    }

    private void awaitSeen(int rows) {
        await().atMost(PATIENCE).until(() -> seen().size() >= rows);
    }

    private void awaitCaughtUp() {
        await().atMost(PATIENCE).until(() -> TopicSourceTest.Probe.seen(own).contains("caught-0"));
    }

    private static List<String> numbered(int partition, int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> partition + "-" + i).toList();
    }

    @Test
    void isReadAsFarAsItIsAskedForAndHoldsNothingUp() throws Exception {
        rows(0, 0, ROWS);
        JobID job = submit(null);
        awaitCaughtUp();
        cluster.awaitCheckpoints(job, 2);
        assertThat(seen()).as("nobody asked").isEmpty();
        demand(8);
        awaitSeen(8);
        cluster.awaitCheckpoints(job, 3);
        assertThat(seen()).as("paused").hasSizeLessThan(ROWS / 2);
        int read = seen().size();
        cluster.awaitCheckpoints(job, 2);
        assertThat(seen()).as("it stays so").hasSize(read);
        rows(1, 0, 1);
        await().atMost(PATIENCE).until(() -> seen().contains("1-0"));
        demand(8, new RowPosition(0, ROWS));
        awaitSeen(ROWS + 1);
        assertThat(seen()).filteredOn(row -> row.startsWith("0-")).isEqualTo(numbered(0, 0, ROWS));
        assertThat(TopicSourceTest.Probe.seen(own)).as("demands stay here").doesNotContain("");
        cluster.cancel(job);
    }

    @Test
    void goesOnWhereItWasAndEndsWithTheRunsTopic() throws Exception {
        rows(0, 0, 5);
        demand(10);
        JobID job = submit(null);
        awaitSeen(5);
        String savepoint = cluster.cancelWithSavepoint(job);
        rows(0, 5, 9);
        SharedBroker.send(feed, 1, TopicRecord.FINAL_KEY, "1-0");
        TopicSourceTest.Probe.SEEN.clear();
        JobID restored = submit(savepoint);
        awaitCaughtUp();
        cluster.awaitCheckpoints(restored, 2);
        assertThat(seen()).as("partition 0 may go on, 1 was not heard of").isSubsetOf(all(5, 9));
        demand(10, new RowPosition(0, 15));
        awaitSeen(5);
        assertThat(seen()).as("nobody else's marker ends it").containsAll(all(5, 9));
        assertThat(cluster.states(restored)).containsOnly(ExecutionState.RUNNING);
        SharedBroker.sendFinal(own, 0);
        JobResult result = cluster.result(restored).get(60, TimeUnit.SECONDS);
        assertThat(result.getJobStatus().orElseThrow()).isEqualTo(JobStatus.FINISHED);
        assertThat(seen()).hasSize(5);
    }

    private static List<String> all(int from, int to) {
        return java.util.stream.Stream.concat(
                        numbered(0, from, to).stream(), numbered(1, 0, 1).stream())
                .toList();
    }

    @Test
    void rowsThatAreGoneBeforeTheyWereReadEndTheJob() throws Exception {
        rows(0, 0, 3);
        demand(10);
        JobID job = submit(null);
        awaitSeen(3);
        String savepoint = cluster.cancelWithSavepoint(job);
        rows(0, 3, 6);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", SharedBroker.bootstrap()))) {
            admin.deleteRecords(
                            Map.of(new TopicPartition(feed, 0), RecordsToDelete.beforeOffset(5)))
                    .all()
                    .get();
        }
        JobResult result = cluster.result(submit(savepoint)).get(60, TimeUnit.SECONDS);
        assertThat(result.getJobStatus().orElseThrow()).isEqualTo(JobStatus.FAILED);
        assertThat(ExceptionUtils.stringifyException(result.getSerializedThrowable().orElseThrow()))
                .contains("Restored offset 3 of " + feed + "/0 is outside");
    }

    @Test
    void anotherTopicOfItsNameIsRefused() throws Exception {
        demand(10);
        rows(0, 0, 1);
        JobID job = submit(null);
        awaitSeen(1);
        String savepoint = cluster.cancelWithSavepoint(job);
        String before = feed;
        feed = SharedBroker.newTopic(2);
        JobResult result = cluster.result(submit(savepoint)).get(60, TimeUnit.SECONDS);
        assertThat(ExceptionUtils.stringifyException(result.getSerializedThrowable().orElseThrow()))
                .as("instead of " + before)
                .containsAnyOf("is not the one this state was read from", "read any more");
    }
}
