package dev.millrace.operators.step;

import dev.millrace.operators.topic.CaughtUpReaders;
import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.operators.topic.Wire;
import dev.millrace.operators.topic.WireException;
import dev.millrace.operators.watch.StagePulse;
import dev.millrace.operators.watch.StageWatch;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.step.FailureRates;
import dev.millrace.udfs.step.StepMachine;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedMultiInput;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.function.ThrowingConsumer;

/**
 * Plays items by the rules of a {@link StepMachine}, see {@link ItemPlayer}. Nothing counts before
 * it is read back from the journal: an item that comes in is appended and waits; an effect that
 * completes is appended; what is read back is applied, in the journal's order. Until every reader
 * of the journal has caught up nothing is appended or started, then the items continue where the
 * journal left them.
 *
 * <p>State: {@link ItemState} under each route; in broadcast state which runs train no more; as
 * operator state the fences of the subtasks' openings, so that the next are higher. No call blocks;
 * the gate bounds how many items there are.
 */
final class DurableStepOperator<I, O> extends AbstractStreamOperator<O>
        implements TwoInputStreamOperator<StepInput, TopicRecord, O>, BoundedMultiInput {
    private static final long serialVersionUID = 1L;
    private static final ListStateDescriptor<Long> FENCES =
            new ListStateDescriptor<>("fences", Types.LONG);
    private static final int FENCES_A_MILLI = 1000;

    private final StepStage<I, O> stage;
    private final transient MailboxExecutor mailbox;
    private transient ItemState<I> items;
    private transient TrainingEnd trainingEnd;
    private transient ListState<Long> fences;
    private transient StepMetrics counts;
    private transient StagePulse pulse;
    private transient StageWatch watch;
    private transient StepJournal journal;
    private transient RunningEffects effects;
    private transient ItemPlayer<I, O> player;
    private transient CaughtUpReaders readers;
    private transient FailureRates rates;
    private transient long openedAt;
    private transient volatile boolean closed;

    DurableStepOperator(StreamOperatorParameters<O> parameters, StepStage<I, O> stage) {
        super(parameters);
        this.stage = stage;
        this.mailbox = parameters.getMailboxExecutor();
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        items = new ItemState<>(context.getKeyedStateStore(), stage.inputType());
        trainingEnd = new TrainingEnd(context.getOperatorStateStore(), stage.runs(), stage.steps());
        fences = context.getOperatorStateStore().getUnionListState(FENCES);
    }

    @Override
    public void open() throws Exception {
        super.open();
        openedAt = System.nanoTime();
        readers = new CaughtUpReaders();
        rates = new FailureRates();
        int subtask = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
        pulse =
                new StagePulse(
                        stage.onlyRun(),
                        stage.machine().stage(),
                        subtask,
                        () -> counts.open() + counts.pending() > 0);
        counts = new StepMetrics(getMetricGroup().addGroup(stage.machine().stage()), pulse);
        counts.gauge("noProgressMillis", () -> pulse.stalledMillis(System.nanoTime()));
        forEachKey(ItemState.OPEN, key -> counts.open(items.openIds().size()));
        forEachKey(ItemState.PENDING, key -> counts.pending(items.pending().size()));
        journal = stage.journals().open(this::journalFailed);
        int parallelism = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
        effects =
                new RunningEffects(
                        stage.runners().open(subtask, parallelism, nextFence()),
                        journal,
                        counts,
                        pulse,
                        this::mail);
        effects.gauges().forEach((name, value) -> counts.gauge(name, value));
        player = new ItemPlayer<>(stage.machine(), items, effects, journal, counts, this::emit);
        player.trainingEnded(trainingEnd.reached());
        watch = stage.watch().open(pulse);
    }

    /**
     * Higher than that of every earlier opening: the clock, or what state knows when the clock went
     * back. Openings of one subtask are further apart than the clocks of two machines.
     */
    private long nextFence() throws Exception {
        long fence = System.currentTimeMillis() * FENCES_A_MILLI;
        for (long before : fences.get()) {
            fence = Math.max(fence, before + FENCES_A_MILLI);
        }
        fences.update(List.of(fence));
        return fence;
    }

    private void emit(O result) {
        output.collect(new StreamRecord<>(result));
        stage.machine()
                .reject(result)
                .ifPresent(
                        reject ->
                                output.collect(
                                        DurableStepFactory.REJECTS, new StreamRecord<>(reject)));
    }

    @Override
    public void processElement1(StreamRecord<StepInput> element) throws Exception {
        pulse.enter();
        take(element.getValue());
        pulse.leave();
    }

    private void take(StepInput input) throws Exception {
        TopicRecord turn = input.turn();
        if (turn == null) {
            player.arrive(stage.inputType().cast(input.item()));
        } else if (turn.kind() == TopicRecord.Kind.DATA) {
            readBack(turn);
        } else if (readers.completedBy(turn)) {
            goLive();
        }
    }

    @Override
    public void processElement2(StreamRecord<TopicRecord> element) throws Exception {
        Set<String> before = trainingEnd.reached();
        hear(element.getValue());
        Set<String> after = trainingEnd.reached();
        player.trainingEnded(after);
        if (!before.containsAll(after) && player.isLive()) {
            forEachKey(ItemState.OPEN, key -> player.continueOpen());
        }
    }

    @Override
    public void endInput(int input) {
        if (input == 1 && counts.open() + counts.pending() > 0) {
            throw new IllegalStateException(
                    String.format(
                            "The input of stage %s ended with %d items open and %d pending; their"
                                    + " final marker must not be written before all have answered",
                            stage.machine().stage(), counts.open(), counts.pending()));
        }
    }

    @Override
    public void close() throws Exception {
        closed = true;
        // Effects first: what they still report goes to the journal.
        try (AutoCloseable state = super::close;
                AutoCloseable appended = journal;
                AutoCloseable running = effects;
                AutoCloseable watching = watch) {
            LOG.debug("Stage closes stage={}", stage.machine().stage());
        }
    }

    private void readBack(TopicRecord turn) throws Exception {
        StepEvent event;
        try {
            event = Wire.decode(turn.value(), StepEvent.class);
        } catch (WireException e) {
            reject(turn, "undecodable", e.getMessage());
            return;
        }
        if (!stage.machine().stage().equals(event.stage())) {
            return;
        }
        if (!isComplete(event)) {
            reject(turn, "malformed", "An event needs item, admission, effect, kind and input");
        } else if (!stage.runs().contains(Admission.runOf(event.itemId()))) {
            counts.foreign();
        } else {
            boolean happened = player.readBack(event);
            if (happened && player.isLive() && event.kind() != StepEvent.Kind.ADMITTED) {
                if (event.failure() != null) {
                    counts.failed(event.failure());
                }
                rates.ended(blamed(event)).ifPresent(this::alarm);
            }
        }
    }

    /** The cause of a failure that the policy did not bring about; else empty. */
    private static String blamed(StepEvent event) {
        Failure failure = event.failure();
        boolean policy = failure == null || failure.failureClass() == FailureClass.POLICY;
        return policy ? "" : failure.cause();
    }

    private void alarm(FailureRates.Alarm alarm) {
        counts.alarm();
        Reject reject =
                new Reject(
                        stage.onlyRun(),
                        stage.machine().stage(),
                        Reject.FAILURE_RATE,
                        alarm.cause(),
                        alarm.failures()
                                + " of the last "
                                + alarm.effects()
                                + " effects failed so");
        output.collect(DurableStepFactory.REJECTS, new StreamRecord<>(reject));
    }

    private boolean isComplete(StepEvent event) {
        return event.itemId() != null
                && event.admissionId() != null
                && event.effectId() != null
                && event.kind() != null
                && (event.kind() != StepEvent.Kind.ADMITTED
                        || stage.machine().input(event) != null);
    }

    private void hear(TopicRecord record) throws Exception {
        if (record.kind() != TopicRecord.Kind.DATA) {
            return;
        }
        try {
            trainingEnd.hear(Wire.decode(record.value(), PolicyRecord.class));
        } catch (WireException e) {
            // Every instance sees it, so none reports it; the gate, which reads it too, does.
            counts.rejected();
        }
    }

    private void goLive() throws Exception {
        player.goLive();
        counts.live((System.nanoTime() - openedAt) / 1_000_000);
        forEachKey(ItemState.PENDING, key -> player.appendPending());
        Set<String> leases = new HashSet<>();
        forEachKey(ItemState.OPEN, key -> leases.addAll(player.continueOpen()));
        stage.runs().forEach(run -> effects.reap(run, leases));
        LOG.info(
                "Stage is live stage={} open={} pending={}",
                stage.machine().stage(),
                counts.open(),
                counts.pending());
    }

    private void reject(TopicRecord record, String reason, String detail) {
        counts.rejected();
        Reject reject =
                new Reject(
                        stage.onlyRun(), stage.machine().stage(), reason, record.where(), detail);
        output.collect(DurableStepFactory.REJECTS, new StreamRecord<>(reject));
    }

    private void forEachKey(String state, ThrowingConsumer<String, Exception> action)
            throws Exception {
        List<String> keys = new ArrayList<>();
        try (Stream<String> found =
                this.<String>getKeyedStateBackend().getKeys(state, VoidNamespace.INSTANCE)) {
            found.distinct().forEach(keys::add);
        }
        for (String key : keys) {
            setCurrentKey(key);
            action.accept(key);
        }
    }

    private void journalFailed(Throwable failure) {
        mail(
                () -> {
                    throw new IllegalStateException("An event could not be appended", failure);
                });
    }

    private void mail(Runnable action) {
        if (closed) {
            return;
        }
        try {
            mailbox.execute(action::run, "durable step");
        } catch (RejectedExecutionException e) {
            LOG.debug("Mailbox is closed, the task is ending", e);
        }
    }
}
