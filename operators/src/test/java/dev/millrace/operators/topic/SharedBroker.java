package dev.millrace.operators.topic;

import dev.millrace.operators.topic.broker.EmbeddedBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** One broker for all tests of this JVM; each test takes topics of its own. */
public final class SharedBroker {
    private static final EmbeddedBroker BROKER = start();
    private static final KafkaProducer<String, byte[]> PRODUCER =
            new KafkaProducer<>(
                    Map.of("bootstrap.servers", bootstrap(), "acks", "all", "linger.ms", 0),
                    new StringSerializer(),
                    new ByteArraySerializer());

    private SharedBroker() {}

    public static String bootstrap() {
        return BROKER.bootstrapServers();
    }

    /** Makes a topic of a new name. */
    public static String newTopic(int partitions) {
        String name = "t-" + UUID.randomUUID();
        Topics.ensure(bootstrap(), List.of(new TopicSpec(name, partitions)));
        return name;
    }

    public static void send(String topic, int partition, String key, String value) {
        send(topic, partition, key, value.getBytes(StandardCharsets.UTF_8));
    }

    public static void send(String topic, Integer partition, String key, byte[] value) {
        try {
            PRODUCER.send(new ProducerRecord<>(topic, partition, key, value)).get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void sendFinal(String topic, int partition) {
        send(topic, partition, TopicRecord.FINAL_KEY, "");
    }

    /** All records that a partition has now. */
    public static List<ConsumerRecord<String, byte[]>> read(String topic, int partition) {
        TopicPartition tp = new TopicPartition(topic, partition);
        List<ConsumerRecord<String, byte[]>> all = new ArrayList<>();
        try (KafkaConsumer<String, byte[]> consumer =
                new KafkaConsumer<>(
                        Map.of("bootstrap.servers", bootstrap()),
                        new StringDeserializer(),
                        new ByteArrayDeserializer())) {
            consumer.assign(List.of(tp));
            consumer.seekToBeginning(List.of(tp));
            long end = consumer.endOffsets(List.of(tp)).get(tp);
            while (consumer.position(tp) < end) {
                consumer.poll(Duration.ofMillis(100)).forEach(all::add);
            }
        }
        return all;
    }

    private static EmbeddedBroker start() {
        try {
            EmbeddedBroker broker = EmbeddedBroker.start(Files.createTempDirectory("broker"));
            Runtime.getRuntime().addShutdownHook(new Thread(broker::close));
            return broker;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
