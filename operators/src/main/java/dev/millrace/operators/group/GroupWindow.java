package dev.millrace.operators.group;

import dev.millrace.udfs.model.GradedAttempt;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Reject;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.operators.StreamingRuntimeContext;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Closes groups: a group is whole once all its attempts are there, or its deadline has come. Keyed
 * by group id.
 *
 * <p>State by group: its attempts by index, its deadline in running time; cleared when it closes. A
 * tombstone then refuses late attempts, until its own timer clears it.
 */
public final class GroupWindow extends KeyedProcessFunction<String, GradedAttempt, GroupRecord>
        implements CheckpointedFunction {
    private static final long serialVersionUID = 1L;
    private static final String STAGE = "group";

    private final GroupWindowSettings settings;
    private final OutputTag<Reject> rejects;
    private transient GroupMetrics metrics;
    private transient MapState<Integer, GradedAttempt> attempts;
    private transient ValueState<Long> deadline;
    private transient ValueState<Long> tombstone;
    private transient ListState<long[]> clocks;
    private transient RunningTime runningTime;

    /**
     * @param rejects where late attempts go, and groups whose attempts can't all be their own
     */
    public GroupWindow(GroupWindowSettings settings, OutputTag<Reject> rejects) {
        this.settings = settings;
        this.rejects = rejects;
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        clocks =
                context.getOperatorStateStore()
                        .getUnionListState(
                                new ListStateDescriptor<>(
                                        "clocks",
                                        PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO));
    }

    @Override
    public void open(OpenContext context) throws Exception {
        metrics = new GroupMetrics(getRuntimeContext().getMetricGroup().addGroup(STAGE));
        runningTime = new RunningTime(clocks.get(), now());
        attempts =
                getRuntimeContext()
                        .getMapState(
                                new MapStateDescriptor<>(
                                        "attempts", Types.INT, Types.POJO(GradedAttempt.class)));
        deadline = getRuntimeContext().getState(new ValueStateDescriptor<>("deadline", Types.LONG));
        tombstone =
                getRuntimeContext().getState(new ValueStateDescriptor<>("tombstone", Types.LONG));
    }

    @Override
    public void processElement(GradedAttempt attempt, Context context, Collector<GroupRecord> out)
            throws Exception {
        long now = context.timerService().currentProcessingTime();
        int index = attempt.attempt().admission().attemptIndex();
        if (tombstone.value() != null) {
            reject(attempt, "late_attempt", context);
            return;
        }
        if (deadline.value() == null) {
            long due = runningTime.at(now) + settings.deadlineMillis();
            deadline.update(due);
            context.timerService().registerProcessingTimeTimer(runningTime.clockAt(due));
        } else if (!sameAdmission(attempt)) {
            reject(attempt, "other_admission", context);
            return;
        } else if (attempts.contains(index)) {
            reject(attempt, "repeated_attempt", context);
            return;
        }
        attempts.put(index, attempt);
        ClosedGroup group = new ClosedGroup(attempts.values());
        if (group.complete()) {
            context.timerService().deleteProcessingTimeTimer(runningTime.clockAt(deadline.value()));
            close(group, now, context, out);
        }
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<GroupRecord> out)
            throws Exception {
        if (tombstone.value() != null) {
            if (timestamp >= tombstone.value()) {
                tombstone.clear();
            }
            return;
        }
        Long due = deadline.value();
        if (due == null) {
            return;
        }
        if (runningTime.at(timestamp) < due) {
            context.timerService().registerProcessingTimeTimer(runningTime.clockAt(due));
            return;
        }
        close(new ClosedGroup(attempts.values()), timestamp, context, out);
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        clocks.update(List.of(runningTime.state(now())));
    }

    private void close(ClosedGroup group, long now, Context context, Collector<GroupRecord> out)
            throws Exception {
        out.collect(metrics.closed(group.record(settings)));
        group.equalAttempts()
                .ifPresent(
                        equal -> {
                            metrics.equalAttempts();
                            context.output(rejects, equal);
                        });
        attempts.clear();
        deadline.clear();
        long until = now + settings.tombstoneMillis();
        tombstone.update(until);
        context.timerService().registerProcessingTimeTimer(until);
    }

    private long now() {
        return ((StreamingRuntimeContext) getRuntimeContext())
                .getProcessingTimeService()
                .getCurrentProcessingTime();
    }

    private boolean sameAdmission(GradedAttempt attempt) throws Exception {
        GradedAttempt first = attempts.values().iterator().next();
        return first.attempt()
                .admission()
                .admissionId()
                .equals(attempt.attempt().admission().admissionId());
    }

    private void reject(GradedAttempt attempt, String reason, Context context) {
        metrics.rejected();
        String runId = attempt.attempt().admission().runId();
        String id = attempt.attempt().admission().attemptId();
        String admission = attempt.attempt().admission().admissionId();
        context.output(rejects, new Reject(runId, STAGE, reason, id, "admission " + admission));
    }
}
