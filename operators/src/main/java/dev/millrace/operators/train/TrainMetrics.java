package dev.millrace.operators.train;

import dev.millrace.udfs.model.PolicyRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * What the trainer shows: the newest version and what its step measured, how long it trained,
 * stored and waited in all, and why items were left out. Reporters read it from threads of their
 * own.
 */
final class TrainMetrics {
    /** Of the step that made the newest version; not a number before the first. */
    private static final List<String> OF_STEP =
            List.of("loss", "kl", "clipFraction", "entropy", "gradNorm", "rewardMean", "lagMean");

    private final MetricGroup group;
    private final Counter tokens;
    private final Counter trainMillis;
    private final Counter storeMillis;
    private final Counter waitMillis;
    private final Map<String, Counter> dropped = new HashMap<>();
    private volatile long epoch;
    private volatile long step;
    private volatile Map<String, Double> measured = Map.of();

    TrainMetrics(MetricGroup group) {
        this.group = group;
        tokens = group.counter("tokens");
        trainMillis = group.counter("trainMillis");
        storeMillis = group.counter("storeMillis");
        waitMillis = group.counter("waitMillis");
        group.gauge("epoch", (Gauge<Long>) () -> epoch);
        group.gauge("step", (Gauge<Long>) () -> step);
        for (String name : OF_STEP) {
            group.gauge(name, (Gauge<Double>) () -> measured.getOrDefault(name, Double.NaN));
        }
    }

    /** A version was published; its record says how the time since the one before was spent. */
    void published(PolicyRecord version) {
        epoch = version.epoch();
        step = version.step();
        measured = Map.copyOf(version.metrics());
        tokens.inc(version.metrics().getOrDefault("tokens", 0.0).longValue());
        trainMillis.inc(millis("trainSeconds"));
        storeMillis.inc(millis("storeSeconds"));
        waitMillis.inc(millis("waitSeconds"));
    }

    private long millis(String spent) {
        return Math.round(1000 * measured.getOrDefault(spent, 0.0));
    }

    void dropped(String reason) {
        dropped.computeIfAbsent(reason, group::counter).inc();
    }
}
