package dev.millrace.operators.group;

import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Verdict;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/** What the window shows: groups it closed, by verdict, and attempts that came too late. */
final class GroupMetrics {
    private final Map<Verdict, Counter> closed = new EnumMap<>(Verdict.class);
    private final Counter rejected;
    private final Counter equalAttempts;

    GroupMetrics(MetricGroup group) {
        for (Verdict verdict : Verdict.values()) {
            closed.put(verdict, group.counter(verdict.name().toLowerCase(Locale.ROOT)));
        }
        equalAttempts = group.counter("equalAttempts");
        rejected = group.counter("attemptsRejected");
    }

    GroupRecord closed(GroupRecord group) {
        closed.get(group.verdict()).inc();
        return group;
    }

    void equalAttempts() {
        equalAttempts.inc();
    }

    void rejected() {
        rejected.inc();
    }
}
