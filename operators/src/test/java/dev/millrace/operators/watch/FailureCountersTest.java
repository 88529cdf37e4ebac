package dev.millrace.operators.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.FailureClass;
import java.util.Arrays;
import java.util.Random;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.Test;

final class FailureCountersTest {
    private final FailureCounters counters =
            new FailureCounters(UnregisteredMetricsGroup.createOperatorMetricGroup());

    private void addUp() {
        assertThat(Arrays.stream(FailureClass.values()).mapToLong(counters::of).sum())
                .isEqualTo(counters.total());
        assertThat(counters.byCause().values().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(counters.total());
    }

    @Test
    void classesAndCausesAddUpToAllFailures() {
        Random random = new Random(1);
        FailureClass[] classes = FailureClass.values();
        for (int i = 0; i < 500; i++) {
            FailureClass each = classes[random.nextInt(classes.length)];
            counters.count(new Failure(each, each.name() + random.nextInt(7), ""));
        }
        assertThat(counters.total()).isEqualTo(500);
        assertThat(counters.byCause()).hasSize(21);
        addUp();
    }

    @Test
    void causesBeyondAHundredAreCountedTogether() {
        for (int i = 0; i < 150; i++) {
            counters.count(new Failure(FailureClass.POLICY, "cause" + i, ""));
        }
        counters.count(new Failure(FailureClass.POLICY, "cause7", ""));
        assertThat(counters.byCause())
                .hasSize(FailureCounters.MOST_CAUSES + 1)
                .containsEntry("cause7", 2L)
                .containsEntry(FailureCounters.OTHER, 50L);
        addUp();
    }
}
