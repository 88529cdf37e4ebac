package dev.millrace.jobs.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.operators.topic.TopicNames;
import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.operators.topic.Topics;
import dev.millrace.operators.topic.Wire;
import dev.millrace.operators.topic.broker.EmbeddedBroker;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.Reject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopicTailTest {
    private static final TopicNames NAMES = new TopicNames("tail");

    @Test
    void readsAllTopicsFromTheirBeginningToTheirEnd(@TempDir Path logs) throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(logs);
                KafkaProducer<String, byte[]> producer = producer(broker.bootstrapServers())) {
            Awaitility.await()
                    .ignoreExceptions()
                    .untilAsserted(() -> Topics.ensure(broker.bootstrapServers(), NAMES.specs(2)));
            send(producer, NAMES.policies(), Samples.announce(1, 0, 0));
            send(producer, NAMES.policies(), Samples.publication(1, 0));
            send(producer, NAMES.turns(), Samples.admitted("demo-1/g1", 0, Lane.TRAIN));
            producer.send(new ProducerRecord<>(NAMES.groups(), 0, "k", bytes("{nonsense"))).get();

            RunView view = new RunView(Samples.SHAPE);
            try (TopicTail tail = new TopicTail(broker.bootstrapServers(), NAMES, view)) {
                tail.start();
                Awaitility.await()
                        .atMost(Duration.ofSeconds(60))
                        .until(() -> view.status(0).accounts().offered() == 1);
                PolicyVersion v0 = new PolicyVersion(1, 0);
                send(producer, NAMES.groups(), Samples.mixed(1, v0, 0.5));
                send(producer, NAMES.progress(), Samples.taken(1, 1, 0));
                send(producer, NAMES.policies(), Samples.publication(1, 1));
                send(producer, NAMES.rejects(), new Reject("demo-1", "gate", "odd", "k", "d"));
                producer.send(
                                new ProducerRecord<>(
                                        NAMES.groups(), 0, TopicRecord.FINAL_KEY, bytes("")))
                        .get();
                assertThat(tail.finish(Duration.ofSeconds(60))).isTrue();
                assertThat(tail.undecodable()).isEqualTo(1);
            }
            RunStatus run = view.status(0);
            assertThat(run.accounts().trained()).isEqualTo(1);
            assertThat(run.version()).isEqualTo(new PolicyVersion(1, 1));
            assertThat(run.rejects()).isEqualTo(Map.of("odd", 1L));
        }
    }

    private static void send(KafkaProducer<String, byte[]> producer, String topic, Object record)
            throws Exception {
        producer.send(new ProducerRecord<>(topic, 0, "k", Wire.encode(record))).get();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static KafkaProducer<String, byte[]> producer(String bootstrap) {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap),
                new StringSerializer(),
                new ByteArraySerializer());
    }
}
