package dev.millrace.operators.minibatch;

import dev.millrace.operators.topic.KeptRecord;
import dev.millrace.operators.topic.RunStates;
import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.operators.topic.Wire;
import dev.millrace.operators.topic.WireException;
import dev.millrace.udfs.minibatch.BatchOutput;
import dev.millrace.udfs.minibatch.BatchSettings;
import dev.millrace.udfs.minibatch.BatchState;
import dev.millrace.udfs.minibatch.LearnInput;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Reject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Makes minibatches out of the topic of closed groups. Runs once (parallelism 1), for all runs of
 * the job; none of them has to do with another.
 *
 * <p>When it opens it claims an epoch for each run: it continues the steps whose minibatches have
 * all left it, since the trainer behind it keeps or has saved exactly those. The claims are the
 * first thing it sends; the source's mark that it has caught up makes sure that something comes to
 * send them on.
 *
 * <p>State: one {@link BatchState} for each run, encoded. It ends with the job.
 */
public final class MinibatchAssembler extends ProcessFunction<TopicRecord, LearnInput>
        implements CheckpointedFunction {
    private static final long serialVersionUID = 2L;
    private static final String STAGE = "minibatch";

    private final List<BatchSettings> settings;
    private final EpochClaims claims;
    private final OutputTag<ProgressRecord> progress;
    private final OutputTag<Reject> rejects;
    private transient Map<String, RunBatches> runs;
    private transient boolean claimsSent;
    private transient BatchMetrics metrics;

    /**
     * @param settings of each run
     * @param progress where it says what became of groups
     * @param rejects where records go that can't be read
     */
    public MinibatchAssembler(
            List<BatchSettings> settings,
            EpochClaims claims,
            OutputTag<ProgressRecord> progress,
            OutputTag<Reject> rejects) {
        this.settings = List.copyOf(settings);
        this.claims = claims;
        this.progress = progress;
        this.rejects = rejects;
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        OperatorStateStore store = context.getOperatorStateStore();
        runs = new LinkedHashMap<>();
        for (BatchSettings run : settings) {
            String name = RunStates.name("batches", run.runId(), settings.size());
            runs.put(
                    run.runId(), new RunBatches(run, KeptRecord.in(store, name, BatchState.class)));
        }
    }

    @Override
    public void open(OpenContext context) {
        metrics = new BatchMetrics(getRuntimeContext().getMetricGroup().addGroup(STAGE));
        runs.values().forEach(run -> run.claim(claims));
    }

    @Override
    public void processElement(TopicRecord record, Context context, Collector<LearnInput> out) {
        if (!claimsSent) {
            claimsSent = true;
            for (RunBatches run : runs.values()) {
                out.collect(LearnInput.of(run.claim()));
                run.saidAgain().forEach(said -> context.output(progress, said));
            }
        }
        if (record.kind() != TopicRecord.Kind.DATA) {
            return;
        }
        RunBatches run = runs.get(record.key());
        if (run == null) {
            metrics.otherRun();
            return;
        }
        take(run, record, context, out);
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        for (RunBatches run : runs.values()) {
            run.keep();
        }
    }

    private void take(
            RunBatches run, TopicRecord record, Context context, Collector<LearnInput> out) {
        GroupRecord group;
        try {
            group = Wire.decode(record.value(), GroupRecord.class);
        } catch (WireException e) {
            context.output(
                    rejects,
                    new Reject(record.key(), STAGE, "unreadable", record.where(), e.getMessage()));
            return;
        }
        for (BatchOutput output : run.hear(group)) {
            metrics.count(output);
            output.progress().forEach(said -> context.output(progress, said));
            if (output.minibatch() != null) {
                out.collect(LearnInput.of(output.minibatch(), output.lagMean()));
            }
        }
    }
}
