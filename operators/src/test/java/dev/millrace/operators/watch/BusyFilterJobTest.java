package dev.millrace.operators.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.operators.topic.KafkaCluster;
import dev.millrace.operators.topic.Wire;
import dev.millrace.operators.topic.broker.EmbeddedBroker;
import dev.millrace.udfs.model.Reject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class BusyFilterJobTest {
    private static final String TOPIC = "rejects";
    @TempDir Path folder;

    /** Keeps its thread for two minutes, unless it is cancelled before. */
    private static final class BusyFilter extends KeyedProcessFunction<Long, Long, Long> {
        private static final long serialVersionUID = 1L;

        @Override
        public void processElement(Long value, Context context, Collector<Long> out) {
            long until = System.nanoTime() + Duration.ofMinutes(2).toNanos();
            while (System.nanoTime() < until && !Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
            out.collect(value);
        }
    }

    @Test
    void aTaskThreadIsNamedInTheTopicWhileItIsStuck() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder)) {
            String servers = broker.bootstrapServers();
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
                admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1))).all().get();
            }
            WatchSettings settings =
                    new WatchSettings("run", 5_000, KafkaCluster.at(servers), TOPIC);
            StreamExecutionEnvironment env =
                    StreamExecutionEnvironment.createLocalEnvironment(1, new Configuration());
            env.fromSequence(1, 3)
                    .keyBy(value -> value, Types.LONG)
                    .transform(
                            "Busy filter",
                            Types.LONG,
                            new WatchedKeyedProcess<>(new BusyFilter(), "filter", settings))
                    .print();
            JobClient job = env.executeAsync();
            List<Reject> seen = new ArrayList<>();
            await().atMost(Duration.ofSeconds(100))
                    .pollInterval(Duration.ofMillis(500))
                    .until(
                            () -> {
                                seen.addAll(read(servers));
                                return !seen.isEmpty();
                            });
            job.cancel().get();
            Reject report = seen.get(0);
            assertThat(report.runId()).isEqualTo("run");
            assertThat(report.stage()).isEqualTo("filter");
            assertThat(report.reason()).isEqualTo("no_progress");
            assertThat(report.key()).isEqualTo("subtask 0");
            assertThat(report.detail()).contains("the task thread is at");
        }
    }

    private static List<Reject> read(String servers) {
        Map<String, Object> settings = Map.of("bootstrap.servers", servers);
        List<Reject> rejects = new ArrayList<>();
        try (KafkaConsumer<String, byte[]> consumer =
                new KafkaConsumer<>(
                        settings, new StringDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> all = List.of(new TopicPartition(TOPIC, 0));
            consumer.assign(all);
            consumer.seekToBeginning(all);
            consumer.poll(Duration.ofSeconds(1))
                    .forEach(record -> rejects.add(Wire.decode(record.value(), Reject.class)));
        }
        return rejects;
    }
}
