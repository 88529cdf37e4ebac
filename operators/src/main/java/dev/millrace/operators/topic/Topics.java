package dev.millrace.operators.topic;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Makes topics and looks at them. Blocks; not for task threads. */
public final class Topics implements AutoCloseable {

    /** Longest record of any topic, bytes. */
    public static final int MAX_RECORD_BYTES = 8 << 20;

    private static final Map<String, String> CONFIG =
            Map.of(
                    TopicConfig.CLEANUP_POLICY_CONFIG,
                    TopicConfig.CLEANUP_POLICY_DELETE,
                    TopicConfig.RETENTION_MS_CONFIG,
                    "-1",
                    TopicConfig.RETENTION_BYTES_CONFIG,
                    "-1",
                    TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                    Integer.toString(MAX_RECORD_BYTES));

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final Admin admin;

    private Topics(Admin admin) {
        this.admin = admin;
    }

    /** How the topics are kept: every record, in full length, for as long as the topic is there. */
    static Map<String, String> config() {
        return CONFIG;
    }

    /** Opens a client of a cluster that asks for no more than its address. */
    public static Topics open(String bootstrapServers) {
        return open(KafkaCluster.at(bootstrapServers));
    }

    /** Makes and checks topics of a cluster that asks for no more than its address. */
    public static void ensure(String bootstrapServers, List<TopicSpec> specs) {
        ensure(KafkaCluster.at(bootstrapServers), specs);
    }

    /** Opens a client of the cluster. */
    public static Topics open(KafkaCluster cluster) {
        return new Topics(Admin.create(cluster.client(Map.of())));
    }

    /**
     * Makes the topics that are missing and checks those that are there.
     *
     * @throws TopicsRefusedException when a topic that is there can't be used: it names each fault
     *     with its remedy
     */
    public static void ensure(KafkaCluster cluster, List<TopicSpec> specs) {
        try (Topics topics = open(cluster)) {
            specs.forEach(topics::create);
            List<String> faults = new ArrayList<>();
            for (TopicSpec spec : specs) {
                topics.check(spec, faults);
            }
            if (!faults.isEmpty()) {
                throw new TopicsRefusedException(faults);
            }
        }
    }

    /**
     * What is wrong with topics that are there already, each fault with its remedy; makes none.
     *
     * @param specs what they must be; those that are missing have no faults
     */
    public static List<String> faults(KafkaCluster cluster, List<TopicSpec> specs) {
        try (Topics topics = open(cluster)) {
            Set<String> there = await(topics.admin.listTopics().names());
            List<String> faults = new ArrayList<>();
            for (TopicSpec spec : specs) {
                if (there.contains(spec.name())) {
                    topics.check(spec, faults);
                }
            }
            return faults;
        }
    }

    /** Partitions of a topic; empty when there is none of that name. */
    public static OptionalInt partitions(KafkaCluster cluster, String topic) {
        try (Topics topics = open(cluster)) {
            return await(topics.admin.listTopics().names()).contains(topic)
                    ? OptionalInt.of(topics.describe(topic).partitions().size())
                    : OptionalInt.empty();
        }
    }

    /** What a topic is like; empty when there is none of that name. */
    public static Optional<TopicFacts> facts(KafkaCluster cluster, String topic) {
        try (Topics topics = open(cluster)) {
            if (!await(topics.admin.listTopics().names()).contains(topic)) {
                return Optional.empty();
            }
            return Optional.of(
                    new TopicFacts(
                            topics.describe(topic).partitions().size(),
                            topics.config(topic).get(TopicConfig.CLEANUP_POLICY_CONFIG).value()));
        }
    }

    /** What tells this topic from another of its name. */
    public TopicIdentity identity(String topic) {
        TopicDescription description = describe(topic);
        String cluster = await(admin.describeCluster().clusterId());
        return new TopicIdentity(
                cluster, description.topicId().toString(), description.partitions().size());
    }

    /** The offsets of each partition. */
    Map<TopicPartition, TopicRange> ranges(String topic, int partitions) {
        Map<TopicPartition, ListOffsetsResultInfo> begin =
                offsets(topic, partitions, OffsetSpec.earliest());
        Map<TopicPartition, TopicRange> ranges = new HashMap<>();
        offsets(topic, partitions, OffsetSpec.latest())
                .forEach(
                        (partition, end) ->
                                ranges.put(
                                        partition,
                                        new TopicRange(
                                                begin.get(partition).offset(), end.offset())));
        return ranges;
    }

    @Override
    public void close() {
        admin.close();
    }

    private Map<TopicPartition, ListOffsetsResultInfo> offsets(
            String topic, int partitions, OffsetSpec which) {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        for (int p = 0; p < partitions; p++) {
            wanted.put(new TopicPartition(topic, p), which);
        }
        return await(admin.listOffsets(wanted).all());
    }

    private void create(TopicSpec spec) {
        NewTopic topic =
                new NewTopic(spec.name(), Optional.of(spec.partitions()), Optional.empty())
                        .configs(CONFIG);
        try {
            await(admin.createTopics(Set.of(topic)).all());
        } catch (TopicExistsException e) {
            // It is checked next, as all are.
            return;
        }
    }

    private void check(TopicSpec spec, List<String> faults) {
        int partitions = describe(spec.name()).partitions().size();
        if (partitions != spec.partitions()) {
            faults.add(
                    spec.name()
                            + ": has "
                            + partitions
                            + " partitions, must have "
                            + spec.partitions()
                            + "; use another prefix (run.name)");
        }
        Config config = config(spec.name());
        CONFIG.forEach(
                (key, wanted) -> {
                    String value = config.get(key).value();
                    if (!wanted.equals(value)) {
                        faults.add(
                                spec.name()
                                        + ": "
                                        + key
                                        + " is "
                                        + value
                                        + ", must be "
                                        + wanted
                                        + "; alter the topic's configuration");
                    }
                });
    }

    private Config config(String topic) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        return known(topic, () -> admin.describeConfigs(Set.of(resource)).all()).get(resource);
    }

    private TopicDescription describe(String topic) {
        return known(topic, () -> admin.describeTopics(Set.of(topic)).allTopicNames()).get(topic);
    }

    /** Asks until the broker knows the topic: one that was just made is known a moment later. */
    private static <T> T known(String topic, Supplier<KafkaFuture<T>> question) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return await(question.get());
            } catch (UnknownTopicOrPartitionException e) {
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException(
                            "The Kafka cluster has no topic " + topic + "; create it first", e);
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    private static <T> T await(KafkaFuture<T> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for the Kafka cluster", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException("The Kafka cluster refused a request", e.getCause());
        }
    }
}
