package dev.millrace.jobs.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.operators.topic.KafkaCluster;
import dev.millrace.operators.topic.TopicNames;
import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.operators.topic.TopicSpec;
import dev.millrace.operators.topic.TopicWriter;
import dev.millrace.operators.topic.Topics;
import dev.millrace.operators.topic.broker.EmbeddedBroker;
import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.pipeline.settings.RecipeReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunTopicsTest {
    @TempDir static Path folder;
    private static EmbeddedBroker broker;
    private static KafkaCluster cluster;

    @BeforeAll
    static void start() {
        broker = EmbeddedBroker.start(folder);
        cluster = KafkaCluster.at(broker.bootstrapServers());
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void makesNoTopicOfARunThatIsNew() throws Exception {
        assertThat(RunTopics.refusals(cluster, recipe("fresh"), false)).isEmpty();
        assertThat(Topics.partitions(cluster, "fresh.turns")).isEmpty();
    }

    @Test
    void namesEachTopicThatWouldLoseRecords() throws Exception {
        make("short.turns", 1, Map.of("retention.ms", "604800000"));
        make("short.tasks", 3, Map.of());
        assertThat(RunTopics.refusals(cluster, recipe("short"), false))
                .contains(
                        "short.turns: retention.ms is 604800000, must be -1; alter the topic's"
                                + " configuration",
                        "short.tasks: has 3 partitions, must have 1; use another prefix"
                                + " (run.name)");
        assertThat(Topics.partitions(cluster, "short.groups")).isEmpty();
    }

    @Test
    void refusesATaskTopicThatLosesRowsOrHasNoOrder() throws Exception {
        assertThat(RunTopics.refusals(cluster, recipe("fed", "nowhere"), false))
                .singleElement()
                .asString()
                .contains("tasks.topic nowhere: the Kafka cluster has no such topic");
        make("compacted", 1, Map.of("cleanup.policy", "compact"));
        assertThat(RunTopics.refusals(cluster, recipe("fed", "compacted"), false))
                .singleElement()
                .asString()
                .contains("cleanup.policy is compact", "it must be delete");
        make("wide-rows", 3, Map.of());
        assertThat(RunTopics.refusals(cluster, recipe("fed", "wide-rows"), false)).isEmpty();
        String[] lockstep = {"run.determinism=lockstep", "train.maxLag=0"};
        assertThat(RunTopics.refusals(cluster, recipe("fed", "wide-rows", lockstep), false))
                .singleElement()
                .asString()
                .contains("has 3 partitions", "run.determinism is lockstep", "must have one");
        make("one-row", 1, Map.of());
        assertThat(RunTopics.refusals(cluster, recipe("fed", "one-row", lockstep), false))
                .isEmpty();
    }

    @Test
    void aResumedRunKeepsTheJournalItHas() throws Exception {
        Topics.ensure(cluster, List.of(new TopicSpec("wide.turns", 4)));
        assertThat(RunTopics.refusals(cluster, recipe("wide"), true)).isEmpty();
        assertThat(RunTopics.refusals(cluster, recipe("wide"), false))
                .singleElement()
                .asString()
                .startsWith("wide.turns: has 4 partitions, must have 1");
    }

    @Test
    void refusesTopicsThatARunHasClosed() throws Exception {
        TopicNames names = new TopicNames("over");
        Topics.ensure(cluster, names.specs(1));
        append(names.policies(), "run-1");
        assertThat(RunTopics.refusals(cluster, recipe("over"), false)).isEmpty();
        append(names.policies(), TopicRecord.FINAL_KEY);
        assertThat(RunTopics.refusals(cluster, recipe("over"), false))
                .singleElement()
                .asString()
                .contains("over.policies is closed")
                .contains("--set run.name=second");
        assertThat(RunTopics.refusals(cluster, recipe("over"), true))
                .singleElement()
                .asString()
                .startsWith("The run has ended");
        assertThatThrownBy(() -> ClosedTopics.refuse(cluster, names.policies(), false))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("over.policies is closed");
    }

    private static void make(String topic, int partitions, Map<String, String> config)
            throws Exception {
        try (Admin admin = Admin.create(cluster.client(Map.of()))) {
            NewTopic made = new NewTopic(topic, Optional.of(partitions), Optional.empty());
            admin.createTopics(Set.of(made.configs(config))).all().get();
        }
    }

    private static void append(String topic, String key) {
        AtomicReference<Throwable> failed = new AtomicReference<>();
        try (TopicWriter writer = new TopicWriter(cluster, topic, failed::set)) {
            writer.append(key, Map.of());
        }
        assertThat(failed).hasValue(null);
    }

    private static Recipe recipe(String name) throws Exception {
        return RecipeReader.read(
                List.of(Path.of("../recipes/demo.yaml")), List.of("run.name=" + name));
    }

    private static Recipe recipe(String name, String taskTopic, String... settings)
            throws Exception {
        List<String> all =
                new ArrayList<>(
                        List.of(
                                "run.name=" + name,
                                "tasks.topic=" + taskTopic,
                                "tasks.root=/data",
                                "kafka.bootstrap=" + cluster.bootstrapServers()));
        all.addAll(List.of(settings));
        return RecipeReader.read(List.of(Path.of("../recipes/demo.yaml")), all);
    }
}
