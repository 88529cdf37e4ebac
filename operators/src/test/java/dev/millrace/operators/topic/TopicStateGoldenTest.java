package dev.millrace.operators.topic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.operators.Golden;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class TopicStateGoldenTest {
    @Test
    void theStateOfASourceIsReadForEver() throws Exception {
        TopicState state =
                new TopicStateSerializer().deserialize(1, Golden.bytes("state/topic-source"));
        assertThat(state.identity()).isEqualTo(new TopicIdentity("cluster", "topic", 2));
        assertThat(state.unassigned())
                .containsExactly(new KafkaPartitionSplit(new TopicPartition("run.turns", 1), 17));
        assertThat(state.feed()).isNull();
    }

    @Test
    void soIsThatOfOneWithAFeed() throws Exception {
        TopicState state =
                new TopicStateSerializer().deserialize(2, Golden.bytes("state/topic-source-feed"));
        assertThat(state.identity()).isEqualTo(new TopicIdentity("cluster", "topic", 1));
        assertThat(state.feed()).isEqualTo(new TopicIdentity("cluster", "rows", 2));
        assertThat(state.unassigned())
                .containsExactly(new KafkaPartitionSplit(new TopicPartition("rows", 1), 17));
    }
}
