package dev.millrace.operators.train;

import dev.millrace.operators.topic.RunStates;
import dev.millrace.operators.topic.Wire;
import dev.millrace.udfs.minibatch.LearnInput;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.Reject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.IOUtils;

/**
 * Trains the runs of a job, each by a {@link RunTrainer} of its own. Runs once (parallelism 1).
 *
 * <p>State: one {@link TrainerState} for each run, encoded. It ends with the job.
 */
final class TrainerOperator extends AbstractStreamOperator<PolicyRecord>
        implements OneInputStreamOperator<LearnInput, PolicyRecord>, BoundedOneInput, TrainerTask {
    private static final long serialVersionUID = 2L;

    private final TrainerParts parts;
    private final transient MailboxExecutor mailbox;
    private transient Map<String, ListState<byte[]>> stored;
    private transient Map<String, RunTrainer> runs;
    private transient long versions;
    private transient volatile boolean closed;

    TrainerOperator(StreamOperatorParameters<PolicyRecord> parameters, TrainerParts parts) {
        super(parameters);
        this.parts = parts;
        this.mailbox = parameters.getMailboxExecutor();
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        stored = new LinkedHashMap<>();
        for (TrainerSettings run : parts.runs()) {
            String name = RunStates.name("trainer", run.runId(), parts.runs().size());
            stored.put(
                    run.runId(),
                    context.getOperatorStateStore()
                            .getListState(
                                    new ListStateDescriptor<>(
                                            name,
                                            PrimitiveArrayTypeInfo
                                                    .BYTE_PRIMITIVE_ARRAY_TYPE_INFO)));
        }
    }

    @Override
    public void open() throws Exception {
        super.open();
        MetricGroup all = getMetricGroup().addGroup("train");
        runs = new LinkedHashMap<>();
        for (TrainerSettings run : parts.runs()) {
            MetricGroup group = hasOtherRuns() ? all.addGroup("run", run.runId()) : all;
            TrainerState state = restored(stored.get(run.runId()));
            runs.put(run.runId(), new RunTrainer(parts, run, this, state, group));
        }
    }

    private static TrainerState restored(ListState<byte[]> kept) throws Exception {
        TrainerState state = TrainerState.empty();
        for (byte[] bytes : kept.get()) {
            state = Wire.decode(bytes, TrainerState.class);
        }
        return state;
    }

    @Override
    public void processElement(StreamRecord<LearnInput> element) {
        LearnInput input = element.getValue();
        String runId = input.claim() != null ? input.claim().runId() : input.minibatch().runId();
        RunTrainer run = runs.get(runId);
        if (run == null) {
            throw new IllegalStateException("The job has no run " + runId);
        }
        run.take(input);
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        for (Map.Entry<String, RunTrainer> run : runs.entrySet()) {
            stored.get(run.getKey()).update(List.of(Wire.encode(run.getValue().state())));
        }
    }

    @Override
    public void endInput() {
        runs.forEach(
                (runId, run) -> {
                    if (run.untrained() > 0) {
                        throw new IllegalStateException(
                                "The input ended with minibatches of run "
                                        + runId
                                        + " untrained: "
                                        + run.untrained());
                    }
                });
    }

    @Override
    public void close() throws Exception {
        closed = true;
        try {
            if (runs != null) {
                IOUtils.closeAll(runs.values());
            }
        } finally {
            super.close();
        }
    }

    @Override
    public void collect(PolicyRecord record) {
        if (record.kind() == PolicyRecord.Kind.PUBLICATION) {
            versions++;
        }
        output.collect(new StreamRecord<>(record));
    }

    @Override
    public void reject(Reject reject) {
        output.collect(parts.rejects(), new StreamRecord<>(reject));
    }

    @Override
    public void mail(Runnable work) {
        if (closed) {
            return;
        }
        try {
            mailbox.execute(work::run, "answer of the trainer");
        } catch (RejectedExecutionException e) {
            LOG.debug("An answer of the trainer came after the task had ended");
        }
    }

    @Override
    public long now() {
        return getProcessingTimeService().getCurrentProcessingTime();
    }

    @Override
    public boolean hasOtherRuns() {
        return parts.runs().size() > 1;
    }

    @Override
    public long versions() {
        return versions;
    }
}
