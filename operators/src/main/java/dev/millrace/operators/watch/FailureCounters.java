package dev.millrace.operators.watch;

import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.FailureClass;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * Failures by class and by cause: {@code failures} is the sum of {@code failuresInfra}, {@code
 * failuresPolicy} and {@code failuresVerifier}, and of {@code failures} over all values of the
 * group {@code cause}. Written by one thread.
 */
public final class FailureCounters {
    /** Causes beyond so many are counted together. */
    static final int MOST_CAUSES = 100;

    static final String OTHER = "other";

    private final MetricGroup group;
    private final Counter all;
    private final Map<FailureClass, Counter> classes = new EnumMap<>(FailureClass.class);
    private final Map<String, Counter> causes = new HashMap<>();

    /** Counters in that group. */
    public FailureCounters(MetricGroup group) {
        this.group = group;
        all = group.counter("failures");
        for (FailureClass each : FailureClass.values()) {
            String name = each.name();
            String title = name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
            classes.put(each, group.counter("failures" + title));
        }
    }

    /** Counts one. */
    public void count(Failure failure) {
        all.inc();
        classes.get(failure.failureClass()).inc();
        boolean known = causes.containsKey(failure.cause());
        String cause = known || causes.size() < MOST_CAUSES ? failure.cause() : OTHER;
        causes.computeIfAbsent(cause, name -> group.addGroup("cause", name).counter("failures"))
                .inc();
    }

    /** All of them. */
    long total() {
        return all.getCount();
    }

    /** Those of a class. */
    long of(FailureClass failureClass) {
        return classes.get(failureClass).getCount();
    }

    /** Those of each cause that came up. */
    Map<String, Long> byCause() {
        Map<String, Long> counts = new HashMap<>();
        causes.forEach((cause, counter) -> counts.put(cause, counter.getCount()));
        return counts;
    }
}
