package dev.millrace.operators.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.operators.topic.SharedBroker;
import dev.millrace.operators.topic.TopicRecord;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KafkaFinalMarkersTest {
    @Test
    void marksEveryPartitionOfEveryTopic() {
        String one = SharedBroker.newTopic(1);
        String many = SharedBroker.newTopic(3);
        Map<String, String> client = Map.of("bootstrap.servers", SharedBroker.bootstrap());
        new KafkaFinalMarkers(client, List.of(one, many)).write();
        assertThat(SharedBroker.read(one, 0)).hasSize(1);
        for (int partition = 0; partition < 3; partition++) {
            assertThat(SharedBroker.read(many, partition))
                    .singleElement()
                    .satisfies(r -> assertThat(r.key()).isEqualTo(TopicRecord.FINAL_KEY));
        }
    }
}
