package dev.millrace.jobs.cluster;

import dev.millrace.operators.topic.TopicNames;
import dev.millrace.operators.topic.Topics;
import dev.millrace.operators.topic.Wire;
import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.pipeline.settings.RecipeReader;
import dev.millrace.pipeline.topology.RunPlan;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Task;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** The plan of a small run with fakes outside, and what its topics say. */
final class ClusterRun {
    static final int STEPS = 12;
    static final int GROUPS_PER_BATCH = 2;
    static final int GROUP_SIZE = 4;
    private static final Path DEMO = Path.of("../recipes/demo.yaml");

    final RunPlan plan;
    private final String bootstrap;
    private final Path policies;

    ClusterRun(ProcessCluster cluster, Path folder, String... overrides) throws Exception {
        bootstrap = cluster.bootstrapServers();
        policies = folder.resolve("policies");
        allowSteps(0);
        List<String> settings =
                new ArrayList<>(
                        List.of(
                                "rollout.slots=8",
                                "rollout.groupSize=" + GROUP_SIZE,
                                "rollout.contextTokens=500",
                                "grading.minValidAttempts=3",
                                "train.groupsPerBatch=" + GROUPS_PER_BATCH,
                                "train.groupsPerMinibatch=1",
                                "train.passes=1",
                                "train.saveEverySteps=2",
                                "train.steps=" + STEPS,
                                "eval.attempts=2",
                                "eval.slots=4",
                                "flink.parallelism=2",
                                "flink.checkpointInterval=1s"));
        settings.addAll(List.of(overrides));
        Recipe recipe = RecipeReader.read(List.of(DEMO), settings);
        TopicNames topics = new TopicNames("cluster");
        plan =
                new RunPlan(
                        "cluster-1",
                        recipe,
                        bootstrap,
                        topics,
                        2,
                        folder.resolve("ledger").toUri().toString(),
                        "",
                        new PolicyRef(new PolicyVersion(0, 0), "fake:0"),
                        new FolderBackends(folder.toString(), 100));
        Topics.ensure(bootstrap, topics.specs(2));
        tasks(24);
    }

    /** Lets the trainer go on until it has trained so many steps in all. */
    void allowSteps(int steps) throws IOException {
        FolderTrainer.allow(policies, steps * GROUPS_PER_BATCH * GROUP_SIZE);
    }

    /** Publications in the topic's order. */
    List<PolicyRecord> publications() {
        return read(plan.topics().policies(), PolicyRecord.class).stream()
                .filter(p -> p.kind() == PolicyRecord.Kind.PUBLICATION)
                .toList();
    }

    /** The largest published step. */
    long step() {
        return publications().stream().mapToLong(PolicyRecord::step).max().orElse(0);
    }

    List<GroupRecord> groups() {
        return read(plan.topics().groups(), GroupRecord.class).stream()
                .filter(g -> !g.drained())
                .toList();
    }

    /** Admission ids by group. */
    Map<String, Set<String>> admissions() {
        Map<String, Set<String>> ids = new HashMap<>();
        read(plan.topics().turns(), StepEvent.class).stream()
                .filter(e -> e.kind() == StepEvent.Kind.ADMITTED && e.admission() != null)
                .forEach(
                        e ->
                                ids.computeIfAbsent(e.admission().groupId(), g -> new HashSet<>())
                                        .add(e.admissionId()));
        return ids;
    }

    /** All records of a topic, in order. */
    <T> List<T> read(String topic, Class<T> type) {
        List<T> records = new ArrayList<>();
        try (KafkaConsumer<String, byte[]> consumer =
                new KafkaConsumer<>(
                        Map.of("bootstrap.servers", bootstrap),
                        new StringDeserializer(),
                        new ByteArrayDeserializer())) {
            List<TopicPartition> partitions =
                    consumer.partitionsFor(topic).stream()
                            .map(p -> new TopicPartition(topic, p.partition()))
                            .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> end = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(p -> consumer.position(p) < end.get(p))) {
                for (ConsumerRecord<String, byte[]> record :
                        consumer.poll(Duration.ofMillis(200))) {
                    if (!"__final__".equals(record.key())) {
                        records.add(Wire.decode(record.value(), type));
                    }
                }
            }
        }
        return records;
    }

    private void tasks(int count) throws Exception {
        try (KafkaProducer<String, byte[]> producer =
                new KafkaProducer<>(
                        Map.of("bootstrap.servers", bootstrap),
                        new StringSerializer(),
                        new ByteArraySerializer())) {
            for (int i = 0; i < count; i++) {
                Split split = i < 4 ? Split.TEST : Split.TRAIN;
                Task task = new Task("task-" + i, "fake:" + i, split, "");
                producer.send(
                                new ProducerRecord<>(
                                        plan.topics().tasks(), plan.runId(), Wire.encode(task)))
                        .get();
            }
        }
    }
}
