package dev.millrace.operators.topic;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopicsTest {
    private static String topic(int partitions, Map<String, String> config) throws Exception {
        String name = "made-" + UUID.randomUUID();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", SharedBroker.bootstrap()))) {
            admin.createTopics(
                            Set.of(
                                    new NewTopic(name, Optional.of(partitions), Optional.empty())
                                            .configs(config)))
                    .all()
                    .get();
        }
        return name;
    }

    private static void ensure(String topic) {
        Topics.ensure(SharedBroker.bootstrap(), List.of(new TopicSpec(topic, 1)));
    }

    @ParameterizedTest
    @CsvSource({
        "cleanup.policy, compact",
        "retention.ms, 604800000",
        "retention.bytes, 1000000",
        "max.message.bytes, 1048588"
    })
    void refusesATopicThatWouldLoseRecords(String key, String value) throws Exception {
        Map<String, String> config = new java.util.HashMap<>(Topics.config());
        config.put(key, value);
        String topic = topic(1, config);
        assertThatThrownBy(() -> ensure(topic))
                .hasMessageContaining(topic + ": " + key + " is " + value)
                .hasMessageContaining("alter the topic's configuration");
    }

    @Test
    void refusesAnotherNumberOfPartitions() throws Exception {
        String topic = topic(2, Topics.config());
        assertThatThrownBy(() -> ensure(topic))
                .hasMessageContaining("has 2 partitions, must have 1");
    }

    @Test
    void takesATopicAsItMakesItAndOneThatIsThere() {
        String topic = "made-" + UUID.randomUUID();
        ensure(topic);
        assertThatCode(() -> ensure(topic)).doesNotThrowAnyException();
    }
}
