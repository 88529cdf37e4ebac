package dev.millrace.operators.minibatch;

import dev.millrace.operators.topic.KeptRecord;
import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.operators.topic.Wire;
import dev.millrace.operators.topic.WireException;
import dev.millrace.udfs.lag.Lineage;
import dev.millrace.udfs.minibatch.BatchBook;
import dev.millrace.udfs.minibatch.BatchOutput;
import dev.millrace.udfs.minibatch.BatchSettings;
import dev.millrace.udfs.minibatch.BatchState;
import dev.millrace.udfs.minibatch.EpochClaim;
import dev.millrace.udfs.minibatch.LearnInput;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Reject;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Makes minibatches out of the topic of closed groups. Runs once (parallelism 1), for one run.
 *
 * <p>When it opens it claims an epoch: it continues the steps whose minibatches have all left it,
 * since the trainer behind it keeps or has saved exactly those. The claim is the first thing it
 * sends; the source's mark that it has caught up makes sure that something comes to send it on.
 *
 * <p>State: one {@link BatchState}, encoded. It ends with the run.
 */
public final class MinibatchAssembler extends ProcessFunction<TopicRecord, LearnInput>
        implements CheckpointedFunction {
    private static final long serialVersionUID = 1L;
    private static final String STAGE = "minibatch";

    private final BatchSettings settings;
    private final EpochClaims claims;
    private final OutputTag<ProgressRecord> progress;
    private final OutputTag<Reject> rejects;
    private transient KeptRecord<BatchState> kept;
    private transient BatchState restored;
    private transient BatchBook book;
    private transient EpochClaim claim;
    private transient List<ProgressRecord> saidAgain;
    private transient boolean claimSent;
    private transient BatchMetrics metrics;

    /**
     * @param progress where it says what became of groups
     * @param rejects where records go that can't be read
     */
    public MinibatchAssembler(
            BatchSettings settings,
            EpochClaims claims,
            OutputTag<ProgressRecord> progress,
            OutputTag<Reject> rejects) {
        this.settings = settings;
        this.claims = claims;
        this.progress = progress;
        this.rejects = rejects;
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        kept = KeptRecord.in(context.getOperatorStateStore(), "batches", BatchState.class);
        restored = kept.or(BatchState.empty());
    }

    @Override
    public void open(OpenContext context) {
        metrics = new BatchMetrics(getRuntimeContext().getMetricGroup().addGroup(STAGE));
        List<PolicyRecord> announced =
                claims.claim(settings.runId(), restored.epoch(), restored.step());
        Lineage lineage = new Lineage();
        announced.forEach(lineage::add);
        PolicyRecord mine = announced.get(announced.size() - 1);
        claim =
                new EpochClaim(
                        mine.runId(), mine.epoch(), mine.parentEpoch(), mine.step(), mine.nonce());
        book = new BatchBook(settings, restored, lineage);
        saidAgain = book.claim(claim);
    }

    @Override
    public void processElement(TopicRecord record, Context context, Collector<LearnInput> out) {
        if (!claimSent) {
            claimSent = true;
            out.collect(LearnInput.of(claim));
            saidAgain.forEach(said -> context.output(progress, said));
        }
        if (record.kind() != TopicRecord.Kind.DATA) {
            return;
        }
        if (!record.key().equals(settings.runId())) {
            metrics.otherRun();
            return;
        }
        take(record, context, out);
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        kept.keep(book.state());
    }

    private void take(TopicRecord record, Context context, Collector<LearnInput> out) {
        GroupRecord group;
        try {
            group = Wire.decode(record.value(), GroupRecord.class);
        } catch (WireException e) {
            context.output(
                    rejects,
                    new Reject(
                            settings.runId(), STAGE, "unreadable", record.where(), e.getMessage()));
            return;
        }
        for (BatchOutput output : book.hear(group)) {
            metrics.count(output);
            output.progress().forEach(said -> context.output(progress, said));
            if (output.minibatch() != null) {
                out.collect(LearnInput.of(output.minibatch(), output.lagMean()));
            }
        }
    }
}
