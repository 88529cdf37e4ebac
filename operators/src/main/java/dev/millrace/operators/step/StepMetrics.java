package dev.millrace.operators.step;

import dev.millrace.operators.watch.FailureCounters;
import dev.millrace.operators.watch.StagePulse;
import dev.millrace.udfs.model.Failure;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;

/** What a durable step stage shows of itself. Written by the task thread. */
final class StepMetrics {
    private static final int WINDOW = 1000;

    private final Counter applied;
    private final Counter ignored;
    private final Counter foreign;
    private final Counter replayed;
    private final Counter repeated;
    private final Counter rejected;
    private final Counter alarms;
    private final FailureCounters failures;
    private final Histogram readBackMicros;
    private final Histogram effectMillis;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger pending = new AtomicInteger();
    private final AtomicInteger effects = new AtomicInteger();
    private volatile long millisToLive = -1;

    private final MetricGroup group;

    private final StagePulse pulse;

    /**
     * @param pulse told whenever an event is applied
     */
    StepMetrics(MetricGroup group, StagePulse pulse) {
        this.group = group;
        this.pulse = pulse;
        applied = group.counter("eventsApplied");
        ignored = group.counter("eventsIgnored");
        foreign = group.counter("eventsOfOtherRuns");
        replayed = group.counter("eventsReplayed");
        repeated = group.counter("itemsRepeated");
        rejected = group.counter("recordsRejected");
        alarms = group.counter("failureRateAlarms");
        failures = new FailureCounters(group);
        readBackMicros =
                group.histogram("readBackMicros", new DescriptiveStatisticsHistogram(WINDOW));
        effectMillis = group.histogram("effectMillis", new DescriptiveStatisticsHistogram(WINDOW));
        group.gauge("itemsOpen", (Gauge<Integer>) open::get);
        group.gauge("itemsPending", (Gauge<Integer>) pending::get);
        group.gauge("effectsUnderWay", (Gauge<Integer>) effects::get);
        group.gauge("millisToLive", (Gauge<Long>) () -> millisToLive);
    }

    /** A number that someone else keeps. */
    void gauge(String name, LongSupplier value) {
        group.gauge(name, (Gauge<Long>) value::getAsLong);
    }

    int open() {
        return open.get();
    }

    int pending() {
        return pending.get();
    }

    void open(int more) {
        open.addAndGet(more);
    }

    void pending(int more) {
        pending.addAndGet(more);
    }

    void effects(int more) {
        effects.addAndGet(more);
    }

    /** An event was applied; before the stage was live when {@code tail}. */
    void applied(boolean tail) {
        applied.inc();
        pulse.moved();
        if (tail) {
            replayed.inc();
        }
    }

    /** An event that was not due. */
    void ignored() {
        ignored.inc();
    }

    /** An event of another run. */
    void foreign() {
        foreign.inc();
    }

    /** An item came in that is known already. */
    void repeated() {
        repeated.inc();
    }

    void rejected() {
        rejected.inc();
    }

    /** An effect failed, by whoever's fault. */
    void failed(Failure failure) {
        failures.count(failure);
    }

    /** A cause of failures came up too often. */
    void alarm() {
        alarms.inc();
    }

    /** Time from an event's completion to its application. */
    void readBack(long nanos) {
        readBackMicros.update(nanos / 1000);
    }

    /** Time from an effect's start to its end: a turn's sampling, a command, a verdict. */
    void effectTook(long nanos) {
        effectMillis.update(nanos / 1_000_000);
    }

    /** The stage began to start effects. */
    void live(long millisAfterOpening) {
        millisToLive = millisAfterOpening;
    }
}
