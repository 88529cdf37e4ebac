package dev.millrace.pipeline.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.operators.topic.TopicSpec;
import dev.millrace.operators.topic.Topics;
import dev.millrace.operators.topic.broker.EmbeddedBroker;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.RowPosition;
import dev.millrace.udfs.model.StepEvent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run whose training tasks others append to a topic while it plays. */
@Timeout(600)
class TaskTopicTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int STEPS = 10;
    private static final String ROWS = "rows-of-others";
    @TempDir Path folder;

    @Test
    void playsRowsOnceInTheirOrderWhileTheyAreAppendedAndItIsKilled() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("broker"));
                Producer producer = new Producer(broker.bootstrapServers())) {
            Topics.ensure(broker.bootstrapServers(), List.of(new TopicSpec(ROWS, 2)));
            String[] settings = {
                "train.steps=" + STEPS,
                "tasks.topic=" + ROWS,
                "tasks.root=/data",
                "kafka.bootstrap=" + broker.bootstrapServers()
            };
            String savepoint;
            try (FakeRun run = new FakeRun(broker, folder, "fed", 60, settings)) {
                run.start(null);
                await().atMost(PATIENCE).until(() -> evaluated(run));
                assertThat(run.states())
                        .as("idle without rows")
                        .containsOnly(ExecutionState.RUNNING);
                assertThat(played(run)).isEmpty();
                producer.appendForEver();
                await().atMost(PATIENCE).until(() -> publications(run) > 1);
                savepoint = run.savepoint();
                int by = played(run).size();
                await().atMost(PATIENCE).until(() -> played(run).size() > by + 1);
                run.kill();
            }
            String ledger = folder.resolve("ledger").toUri().toString();
            try (FakeRun run = FakeRun.begun(broker, folder, "fed", ledger, settings)) {
                run.start(savepoint);
                assertThat(run.end()).isEqualTo("FINISHED");
                LoopTest.assertEverythingIsAccountedFor(run, STEPS);
                assertOnceAndInOrder(run);
                assertThat(run.read(run.topics().rejects(), Reject.class))
                        .filteredOn(reject -> reject.stage().equals(Reject.TASKS))
                        .isNotEmpty()
                        .allMatch(reject -> reject.reason().equals(Reject.MALFORMED_TASK_ROW))
                        .allMatch(reject -> reject.key().matches(ROWS + "/[01]@\\d+"));
            }
        }
    }

    /** No row is played by two groups, none is left out, later groups play later rows. */
    private static void assertOnceAndInOrder(FakeRun run) {
        Map<Long, RowPosition> played = played(run);
        assertThat(played.values()).doesNotContainNull().doesNotHaveDuplicates();
        Map<Integer, Long> last = new HashMap<>();
        played.keySet().stream()
                .sorted()
                .map(played::get)
                .forEach(
                        row -> {
                            long before = last.getOrDefault(row.partition(), -1L);
                            assertThat(row.offset()).isGreaterThan(before);
                            for (long between = before + 1; between < row.offset(); between++) {
                                assertThat(Producer.malformed(between)).isTrue();
                            }
                            last.put(row.partition(), row.offset());
                        });
        assertThat(last.keySet()).containsExactlyInAnyOrder(0, 1);
    }

    private static Map<Long, RowPosition> played(FakeRun run) {
        Map<Long, RowPosition> rows = new HashMap<>();
        for (StepEvent event : run.read(run.topics().turns(), StepEvent.class)) {
            Admission admission = event.admission();
            if (admission != null && admission.lane() == Lane.TRAIN) {
                RowPosition first =
                        rows.putIfAbsent(admission.groupIndex(), admission.task().row());
                assertThat(admission.task().row())
                        .as("attempts of a group play one row")
                        .isEqualTo(first == null ? admission.task().row() : first);
            }
        }
        return rows;
    }

    private static boolean evaluated(FakeRun run) {
        return run.read(run.topics().groups(), dev.millrace.udfs.model.GroupRecord.class).size()
                >= 8;
    }

    private static long publications(FakeRun run) {
        return run.read(run.topics().policies(), PolicyRecord.class).stream()
                .filter(record -> record.kind() == PolicyRecord.Kind.PUBLICATION)
                .count();
    }

    /** Appends a row every 20 ms, to the partitions in turn. */
    private static final class Producer implements AutoCloseable {
        private static final int EVERY = 7;
        private final KafkaProducer<String, byte[]> kafka;
        private final ScheduledExecutorService thread =
                Executors.newSingleThreadScheduledExecutor();
        private final AtomicInteger appended = new AtomicInteger();

        Producer(String bootstrap) {
            kafka =
                    new KafkaProducer<>(
                            Map.of("bootstrap.servers", (Object) bootstrap),
                            new StringSerializer(),
                            new ByteArraySerializer());
        }

        /** Whether the record at an offset, of either partition, is no row. */
        static boolean malformed(long offset) {
            return offset % EVERY == 3;
        }

        void appendForEver() {
            var unused = thread.scheduleAtFixedRate(this::append, 0, 20, TimeUnit.MILLISECONDS);
        }

        private void append() {
            int number = appended.getAndIncrement();
            long offset = number / 2;
            String row =
                    malformed(offset)
                            ? "{\"metadata\": 7}"
                            : "{\"metadata\":{\"instance_id\":\"row-"
                                    + number
                                    + "\",\"task_path\":\"tasks/"
                                    + number
                                    + "\"}}";
            var unused =
                    kafka.send(
                            new ProducerRecord<>(
                                    ROWS, number % 2, null, row.getBytes(StandardCharsets.UTF_8)));
        }

        @Override
        public void close() {
            thread.shutdownNow();
            kafka.close(Duration.ofSeconds(5));
        }
    }
}
