package dev.millrace.operators.minibatch;

import dev.millrace.udfs.minibatch.BatchOutput;
import dev.millrace.udfs.model.ProgressRecord;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;

/** What the assembler shows: groups it took, groups it dropped by cause, and how old they were. */
final class BatchMetrics {
    private static final int WINDOW = 256;

    private final MetricGroup causes;
    private final Counter otherRuns;
    private final Counter groupsTaken;
    private final Counter groupsDropped;
    private final Counter minibatches;
    private final Histogram lag;
    private final Map<String, Counter> byCause = new HashMap<>();

    BatchMetrics(MetricGroup group) {
        causes = group.addGroup("dropped");
        otherRuns = group.counter("otherRuns");
        groupsTaken = group.counter("groupsTaken");
        groupsDropped = group.counter("groupsDropped");
        minibatches = group.counter("minibatches");
        lag = group.histogram("lagSteps", new DescriptiveStatisticsHistogram(WINDOW));
    }

    void otherRun() {
        otherRuns.inc();
    }

    void count(BatchOutput output) {
        for (ProgressRecord said : output.progress()) {
            if (said.kind() == ProgressRecord.Kind.TAKEN) {
                groupsTaken.inc();
            } else if (said.kind() == ProgressRecord.Kind.DROPPED) {
                groupsDropped.inc();
                byCause.computeIfAbsent(said.cause(), causes::counter).inc();
            }
        }
        if (output.minibatch() != null) {
            minibatches.inc();
            lag.update(Math.round(output.lagMean()));
        }
    }
}
