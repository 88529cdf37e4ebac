package dev.millrace.operators.topic;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Appends records to a topic at once, outside of checkpoints, and never blocks its caller: a Kafka
 * producer may wait for metadata or buffers, so it is used from a thread of its own. Records of one
 * key keep the order in which they were appended.
 */
public final class TopicWriter implements AutoCloseable {
    private static final int MOST_WAITING = 1 << 16;
    private static final Map<String, Object> SETTINGS =
            Map.of(
                    ProducerConfig.ACKS_CONFIG, "all",
                    ProducerConfig.LINGER_MS_CONFIG, 0,
                    ProducerConfig.MAX_BLOCK_MS_CONFIG, 30_000,
                    ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 15_000,
                    ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 60_000,
                    ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Topics.MAX_RECORD_BYTES);
    private static final Duration CLOSING = Duration.ofSeconds(2);

    private final String topic;
    private final Consumer<Throwable> failed;
    private final KafkaProducer<String, byte[]> producer;
    private final ThreadPoolExecutor sender;
    private volatile boolean closed;

    /** Writes to a cluster that asks for no more than its address. */
    public TopicWriter(String bootstrapServers, String topic, Consumer<Throwable> failed) {
        this(KafkaCluster.at(bootstrapServers), topic, failed);
    }

    /**
     * @param cluster where the topic is
     * @param topic full name; must exist
     * @param failed told, from any thread, when a record can't be written; more may follow
     */
    public TopicWriter(KafkaCluster cluster, String topic, Consumer<Throwable> failed) {
        this.topic = topic;
        this.failed = failed;
        this.producer =
                new KafkaProducer<>(
                        cluster.client(SETTINGS),
                        new StringSerializer(),
                        new ByteArraySerializer());
        this.sender =
                new ThreadPoolExecutor(
                        1,
                        1,
                        0,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(MOST_WAITING),
                        task -> {
                            Thread thread = new Thread(task, "append-" + topic);
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    /** Appends a record; returns before it is written. Any thread may call it. */
    public void append(String key, Object record) {
        try {
            sender.execute(() -> send(key, record));
        } catch (RejectedExecutionException e) {
            fail(new IllegalStateException("Too many records wait to be appended to " + topic, e));
        }
    }

    /** Gives what was appended a short time to be written, then drops the rest. */
    @Override
    public void close() {
        closed = true;
        boolean interrupted = Thread.interrupted();
        sender.shutdown();
        try {
            sender.awaitTermination(CLOSING.toMillis(), TimeUnit.MILLISECONDS);
            producer.close(CLOSING);
        } catch (InterruptedException | InterruptException e) {
            interrupted = true;
            producer.close(Duration.ZERO);
        } finally {
            sender.shutdownNow();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void send(String key, Object record) {
        try {
            // The callback reports what the future would.
            Future<?> unused =
                    producer.send(
                            new ProducerRecord<>(topic, key, Wire.encode(record)),
                            (metadata, failure) -> {
                                if (failure != null) {
                                    fail(failure);
                                }
                            });
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    private void fail(Throwable failure) {
        if (!closed) {
            failed.accept(failure);
        }
    }
}
