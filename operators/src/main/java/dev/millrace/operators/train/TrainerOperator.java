package dev.millrace.operators.train;

import dev.millrace.backends.port.PolicyTrainer;
import dev.millrace.backends.port.TrainerException;
import dev.millrace.operators.topic.Wire;
import dev.millrace.udfs.minibatch.EpochClaim;
import dev.millrace.udfs.minibatch.LearnInput;
import dev.millrace.udfs.model.Minibatch;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.Reject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Trains on minibatches in the order they come and publishes a version after each step. Runs once
 * (parallelism 1), for one run.
 *
 * <p>It acts under the epoch it was last told, in a session of its own that goes on from the last
 * saved state: minibatches since are given to it again, once, and then the version that was
 * published last is published anew. Minibatches are submitted without waiting for one another;
 * answers come back through the mailbox, so the task's thread never waits.
 *
 * <p>When a session is lost or a call is not answered in time, another session goes on from the
 * last saved state under the same epoch: what was published stays as it is, minibatches since the
 * save are given to the new session, once. Several losses in a row fail the task, and so does one
 * where publications end with their session.
 *
 * <p>State: one {@link TrainerState}, encoded. It ends with the run.
 */
final class TrainerOperator extends AbstractStreamOperator<PolicyRecord>
        implements OneInputStreamOperator<LearnInput, PolicyRecord>, BoundedOneInput {
    private static final long serialVersionUID = 1L;

    /** Sessions lost without a publication in between, after which the task fails. */
    private static final int MOST_LOSSES = 3;

    private final TrainerParts parts;
    private final transient MailboxExecutor mailbox;
    private final Queue<LearnInput> waiting = new ArrayDeque<>();
    private final Deque<SubmittedMinibatch> submitted = new ArrayDeque<>();
    private transient ListState<byte[]> stored;
    private transient PolicyTrainer trainer;
    private transient TrajectoryReader reader;
    private transient ExecutorService io;
    private transient BusyClock clock;
    private transient TrainerPulse pulse;
    private transient TrainMetrics shown;
    private transient EpochClaim claim;
    private transient SessionCalls calls;
    private transient StepMetrics stepMetrics;
    private transient TrainerState state;
    private transient long firstVersion;
    private transient long newestHere;
    private transient int session;
    private transient int losses;
    private transient volatile boolean closed;

    TrainerOperator(StreamOperatorParameters<PolicyRecord> parameters, TrainerParts parts) {
        super(parameters);
        this.parts = parts;
        this.mailbox = parameters.getMailboxExecutor();
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        stored =
                context.getOperatorStateStore()
                        .getListState(
                                new ListStateDescriptor<>(
                                        "trainer",
                                        PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
        state = TrainerState.empty();
        for (byte[] bytes : stored.get()) {
            state = Wire.decode(bytes, TrainerState.class);
        }
    }

    @Override
    public void open() throws Exception {
        super.open();
        io = IoThreads.open();
        trainer = parts.trainer().open();
        reader =
                new TrajectoryReader(
                        parts.store().open(), parts.settings().klCoef(), parts.settings().all());
        clock = new BusyClock(() -> getProcessingTimeService().getCurrentProcessingTime());
        pulse = new TrainerPulse(parts.watch(), parts.settings().runId());
        stepMetrics = new StepMetrics();
        shown = new TrainMetrics(getMetricGroup().addGroup("train"));
    }

    @Override
    public void processElement(StreamRecord<LearnInput> element) {
        LearnInput input = element.getValue();
        report(input.rejects());
        if (input.claim() != null) {
            begin(input.claim());
        } else {
            keep(input);
        }
        submitWaiting();
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        stored.update(List.of(Wire.encode(state)));
    }

    @Override
    public void endInput() {
        if (!waiting.isEmpty() || !submitted.isEmpty()) {
            throw new IllegalStateException(
                    "The input ended with minibatches untrained: waiting "
                            + waiting.size()
                            + ", submitted "
                            + submitted.size());
        }
    }

    @Override
    public void close() throws Exception {
        closed = true;
        try {
            if (pulse != null) {
                pulse.close();
            }
            if (calls != null) {
                calls.close();
            }
            if (trainer != null) {
                trainer.close();
            }
            if (io != null) {
                IoThreads.close(io);
            }
        } finally {
            super.close();
        }
    }

    /** Acts under an epoch from now on. */
    private void begin(EpochClaim next) {
        if (claim != null && next.epoch() <= claim.epoch()) {
            return;
        }
        if (calls != null) {
            calls.close();
        }
        claim = next;
        session = 0;
        losses = 0;
        newestHere = -1;
        openSession();
    }

    /** Opens a session and gives it everything since the last saved state. */
    private void openSession() {
        session++;
        submitted.clear();
        pulse.reset();
        waiting.clear();
        waiting.addAll(state.kept());
        stepMetrics = new StepMetrics();
        firstVersion = Math.max(0, state.published());
        String from =
                state.savedUri().isEmpty() ? parts.settings().initialStateUri() : state.savedUri();
        calls = new SessionCalls(parts.settings(), trainer, reader, io, sessionName(), from);
        if (!trainer.publicationsOutliveSessions()) {
            SessionCalls under = calls;
            var unused =
                    calls.lost().whenComplete((never, loss) -> mail(() -> advance(under, loss)));
        }
        if (state.savedStep() == firstVersion && isNew(firstVersion)) {
            watch(new SubmittedMinibatch(null, null, firstVersion, null, publish(firstVersion)));
        }
    }

    private void keep(LearnInput input) {
        Minibatch minibatch = input.minibatch();
        if (!state.isNext(minibatch)) {
            throw new IllegalStateException(
                    "Minibatch " + minibatch.minibatchId() + " does not follow what came before");
        }
        List<LearnInput> kept = new ArrayList<>(state.kept());
        kept.add(LearnInput.of(minibatch, input.lagMean()));
        state = new TrainerState(state.published(), state.savedUri(), state.savedStep(), kept);
        if (claim != null) {
            waiting.add(input);
        }
    }

    private void submitWaiting() {
        while (submitted.size() < parts.settings().inFlight() && !waiting.isEmpty()) {
            submit(waiting.remove());
        }
        tick();
    }

    private void tick() {
        clock.set(
                submitted.isEmpty()
                        ? BusyClock.Doing.WAITING
                        : submitted.stream().allMatch(SubmittedMinibatch::isTrained)
                                ? BusyClock.Doing.STORING
                                : BusyClock.Doing.TRAINING);
    }

    private void submit(LearnInput input) {
        Minibatch minibatch = input.minibatch();
        long version = minibatch.step() + 1;
        boolean ends = minibatch.index() + 1 == minibatch.count();
        var trained = calls.train(effectId(minibatch), minibatch);
        boolean saves = ends && version > firstVersion && parts.settings().savedAfter(version);
        var saved = saves ? calls.save(sessionName() + "-step" + version) : null;
        var published = ends && isNew(version) ? publish(version) : null;
        watch(new SubmittedMinibatch(input, trained, version, saved, published));
    }

    /** Whether samplers have yet to hear of a version under this epoch. */
    private boolean isNew(long version) {
        return version >= firstVersion && version > newestHere;
    }

    private CompletableFuture<String> publish(long version) {
        return calls.publish(sessionName() + "-step" + version);
    }

    private void watch(SubmittedMinibatch minibatch) {
        submitted.add(minibatch);
        pulse.submitted(minibatch);
        SessionCalls under = calls;
        var unused =
                minibatch.done().whenComplete((done, error) -> mail(() -> advance(under, error)));
        if (minibatch.trained() != null && minibatch.published() != null) {
            var unusedTrained = minibatch.trained().whenComplete((done, error) -> mail(this::tick));
        }
    }

    /** Called by the thread that completes an answer. */
    private void mail(Runnable work) {
        if (closed) {
            return;
        }
        try {
            mailbox.execute(work::run, "answer of the trainer");
        } catch (RejectedExecutionException e) {
            LOG.debug("An answer of the trainer came after the task had ended");
        }
    }

    private void advance(SessionCalls under, Throwable error) {
        if (under != calls) {
            return;
        }
        while (!submitted.isEmpty() && submitted.peek().succeeded()) {
            finish(submitted.remove());
        }
        if (error != null) {
            goOnInAnotherSession(error);
        }
        submitWaiting();
    }

    /**
     * Goes on after the loss of a session; every other error fails the task. So does the loss of a
     * session whose publications nobody can sample any more: the next epoch publishes anew.
     */
    private void goOnInAnotherSession(Throwable error) {
        Optional<TrainerException> loss = SessionLoss.in(error);
        boolean unserved = !trainer.publicationsOutliveSessions();
        if (loss.isEmpty() || losses == MOST_LOSSES || unserved) {
            throw new IllegalStateException(
                    "The trainer failed in session " + sessionName() + ", losses before: " + losses,
                    error);
        }
        losses++;
        LOG.warn(
                "The session is lost, another one goes on session={} savedStep={} minibatches={}",
                sessionName(),
                state.savedStep(),
                state.kept().size(),
                loss.get());
        report(List.of(SessionLoss.reject(claim.runId(), sessionName(), loss.get())));
        SessionLoss.abandon(calls, trainer);
        io.shutdownNow();
        io = IoThreads.open();
        trainer = parts.trainer().open();
        openSession();
    }

    private void finish(SubmittedMinibatch minibatch) {
        pulse.answered(minibatch);
        if (minibatch.trained() != null) {
            TrainedMinibatch trained = minibatch.trained().join();
            report(trained.rejects());
            stepMetrics.add(minibatch.input(), trained);
        }
        boolean ends = minibatch.input() == null || endsStep(minibatch.input().minibatch());
        if (minibatch.published() != null) {
            emit(minibatch);
        }
        if (ends) {
            stepMetrics = new StepMetrics();
        }
    }

    private void emit(SubmittedMinibatch minibatch) {
        long version = minibatch.version();
        newestHere = version;
        losses = 0;
        PolicyRecord published =
                new PolicyRecord(
                        claim.runId(),
                        PolicyRecord.Kind.PUBLICATION,
                        claim.epoch(),
                        version,
                        claim.parentEpoch(),
                        claim.nonce(),
                        minibatch.published().join(),
                        version >= parts.settings().steps(),
                        stepMetrics.named(clock));
        shown.published(published);
        output.collect(new StreamRecord<>(published));
        String savedUri = state.savedUri();
        long savedStep = state.savedStep();
        List<LearnInput> kept = state.kept();
        if (minibatch.saved() != null) {
            savedUri = minibatch.saved().join();
            savedStep = version;
            kept = kept.stream().filter(input -> input.minibatch().step() >= version).toList();
        }
        state = new TrainerState(version, savedUri, savedStep, kept);
    }

    private void report(List<Reject> rejects) {
        for (Reject reject : rejects) {
            shown.dropped(reject.reason());
            output.collect(parts.rejects(), new StreamRecord<>(reject));
        }
    }

    private static boolean endsStep(Minibatch minibatch) {
        return minibatch.index() + 1 == minibatch.count();
    }

    /**
     * Names the minibatch in this session: the epoch it is trained under, not where it was made.
     */
    private String effectId(Minibatch minibatch) {
        return claim.runId()
                + "/e"
                + claim.epoch()
                + "/s"
                + minibatch.step()
                + "/m"
                + minibatch.index();
    }

    private String sessionName() {
        String first = claim.runId() + "-e" + claim.epoch() + "-" + claim.nonce();
        return session == 1 ? first : first + "-s" + session;
    }
}
