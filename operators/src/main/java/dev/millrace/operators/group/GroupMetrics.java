package dev.millrace.operators.group;

import dev.millrace.operators.watch.FailureCounters;
import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Verdict;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * What the window shows: groups it closed, by verdict, and attempts that came too late. The {@code
 * attempts} of closed groups are those that are {@code attemptsValid} and the {@code failures}.
 */
final class GroupMetrics {
    private final Map<Verdict, Counter> closed = new EnumMap<>(Verdict.class);
    private final Counter rejected;
    private final Counter equalAttempts;
    private final Counter attempts;
    private final Counter valid;
    private final FailureCounters failures;

    GroupMetrics(MetricGroup group) {
        for (Verdict verdict : Verdict.values()) {
            closed.put(verdict, group.counter(verdict.name().toLowerCase(Locale.ROOT)));
        }
        equalAttempts = group.counter("equalAttempts");
        rejected = group.counter("attemptsRejected");
        attempts = group.counter("attempts");
        valid = group.counter("attemptsValid");
        failures = new FailureCounters(group);
    }

    GroupRecord closed(GroupRecord group) {
        closed.get(group.verdict()).inc();
        for (AttemptSummary attempt : group.attempts()) {
            attempts.inc();
            if (attempt.valid()) {
                valid.inc();
            } else {
                failures.count(attempt.failure());
            }
        }
        return group;
    }

    void equalAttempts() {
        equalAttempts.inc();
    }

    void rejected() {
        rejected.inc();
    }
}
