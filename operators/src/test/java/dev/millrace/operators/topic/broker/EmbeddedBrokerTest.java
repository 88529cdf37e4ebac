package dev.millrace.operators.topic.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.operators.topic.TopicIdentity;
import dev.millrace.operators.topic.TopicNames;
import dev.millrace.operators.topic.TopicSpec;
import dev.millrace.operators.topic.Topics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedBrokerTest {
    @TempDir Path dir;

    @Test
    void keepsTopicsAndClusterOverARestartOnTheSameFolder() {
        Path logs = dir.resolve("new/logs");
        TopicNames names = new TopicNames("demo");
        TopicIdentity before;
        String address;
        try (EmbeddedBroker broker = EmbeddedBroker.start(logs)) {
            address = broker.bootstrapServers();
            Topics.ensure(address, names.specs(2));
            before = identity(address, names.turns());
        }
        int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
        try (EmbeddedBroker broker = EmbeddedBroker.start(logs, port)) {
            assertThat(broker.bootstrapServers()).isEqualTo(address);
            assertThat(identity(address, names.turns())).isEqualTo(before);
            assertThat(before.partitions()).isEqualTo(2);
            Topics.ensure(address, names.specs(2));
            assertThatThrownBy(
                            () -> Topics.ensure(address, List.of(new TopicSpec(names.tasks(), 3))))
                    .hasMessageContaining("demo.tasks: has 1 partitions, must have 3");
            assertThatThrownBy(() -> identity(address, "nowhere"))
                    .hasMessageContaining("has no topic nowhere; create it first");
        }
    }

    @Test
    void refusesAFolderThatCannotBeMade() throws Exception {
        Path file = Files.createFile(dir.resolve("file"));
        assertThatThrownBy(() -> EmbeddedBroker.start(file))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(file.toString());
    }

    private static TopicIdentity identity(String bootstrap, String topic) {
        try (Topics topics = Topics.open(bootstrap)) {
            return topics.identity(topic);
        }
    }
}
