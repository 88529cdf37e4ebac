package dev.millrace.operators.topic;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;

class CaughtUpFanOutTest {

    @Test
    void routesHoldOneKeyOfEachKeyGroup() {
        for (int maxParallelism : new int[] {1, 7, 128}) {
            assertThat(Routes.keys(maxParallelism))
                    .extracting(k -> KeyGroupRangeAssignment.assignToKeyGroup(k, maxParallelism))
                    .containsExactlyElementsOf(IntStream.range(0, maxParallelism).boxed().toList());
        }
    }

    @Test
    void repeatsCaughtUpForEveryRouteAndFiltersRecords() throws Exception {
        CaughtUpFanOut fanOut =
                InstantiationUtil.clone(new CaughtUpFanOut(4, r -> r.key().equals("yes")));
        List<TopicRecord> out = new ArrayList<>();
        ListCollector<TopicRecord> collector = new ListCollector<>(out);
        fanOut.flatMap(record("yes"), collector);
        fanOut.flatMap(record("no"), collector);
        fanOut.flatMap(record(TopicRecord.FINAL_KEY), collector);
        assertThat(out).extracting(TopicRecord::key).containsExactly("yes");
        out.clear();
        fanOut.flatMap(TopicRecord.caughtUp("t", 1, 2), collector);
        assertThat(out).extracting(TopicRecord::key).isEqualTo(Routes.keys(4));
        assertThat(out).extracting(TopicRecord::readerIndex).containsOnly(1);
    }

    @Test
    void readersAreCompleteOnceWhenEachHasCaughtUp() {
        CaughtUpReaders readers = new CaughtUpReaders();
        assertThat(readers.completedBy(record("a"))).isFalse();
        assertThat(readers.completedBy(TopicRecord.caughtUp("t", 1, 2))).isFalse();
        assertThat(readers.completedBy(TopicRecord.caughtUp("t", 1, 2))).isFalse();
        assertThat(readers.complete()).isFalse();
        assertThat(readers.completedBy(TopicRecord.caughtUp("t", 0, 2))).isTrue();
        assertThat(readers.completedBy(TopicRecord.caughtUp("t", 0, 2))).isFalse();
        assertThat(readers.complete()).isTrue();
    }

    private static TopicRecord record(String key) {
        return TopicRecord.read("t", 0, 0, key, "v".getBytes(StandardCharsets.UTF_8));
    }
}
