package dev.millrace.operators.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.junit.jupiter.api.Test;

class TopicWriterTest {
    private final String topic = SharedBroker.newTopic(2);
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    @Test
    void keepsTheOrderOfAKeyAndWritesBeforeItIsClosed() {
        try (TopicWriter writer = new TopicWriter(SharedBroker.bootstrap(), topic, failures::add)) {
            IntStream.range(0, 199).forEach(i -> writer.append("k", i));
            // Closing waits two seconds: too short for a first connection on a busy machine.
            await().atMost(Duration.ofMinutes(1)).until(() -> written().size() == 199);
            writer.append("k", 199);
        }
        assertThat(failures).isEmpty();
        assertThat(written())
                .extracting(r -> Wire.decode(r.value(), Integer.class))
                .containsExactlyElementsOf(IntStream.range(0, 200).boxed().toList());
    }

    private List<ConsumerRecord<String, byte[]>> written() {
        return IntStream.range(0, 2)
                .boxed()
                .flatMap(partition -> SharedBroker.read(topic, partition).stream())
                .toList();
    }

    @Test
    void writesARecordOfSeveralMegabytesAndReportsOneThatIsTooLong() {
        try (TopicWriter writer = new TopicWriter(SharedBroker.bootstrap(), topic, failures::add)) {
            writer.append("k", new byte[Topics.MAX_RECORD_BYTES / 2]);
            writer.append("k", new byte[Topics.MAX_RECORD_BYTES]);
            await().atMost(Duration.ofMinutes(1)).until(() -> !failures.isEmpty());
        }
        assertThat(failures).singleElement().isInstanceOf(RecordTooLargeException.class);
        assertThat(SharedBroker.read(topic, 0).size() + SharedBroker.read(topic, 1).size())
                .isEqualTo(1);
    }
}
