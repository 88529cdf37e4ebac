package dev.millrace.operators.train;

import dev.millrace.backends.port.PolicyTrainer;
import dev.millrace.backends.port.TrainerException;
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
import org.apache.flink.metrics.MetricGroup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Trains one run on its minibatches, in the order they come, and publishes a version after each
 * step. Used by the task's thread, which never waits: minibatches are submitted without waiting for
 * one another, and answers come back through the mailbox.
 *
 * <p>It acts under the epoch it was last told, in a session of its own that goes on from the last
 * saved state: minibatches since are given to it again, once, and then the version that was
 * published last is published anew.
 *
 * <p>When a session is lost or a call is not answered in time, another session goes on from the
 * last saved state under the same epoch: what was published stays as it is, minibatches since the
 * save are given to the new session, once. Where publications end with their session, its loss
 * fails the task. What is wrong with this run alone ends the run, when the job has others;
 * everything else fails the task.
 */
final class RunTrainer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RunTrainer.class);

    /** Sessions lost without a publication in between, after which no other one is tried. */
    private static final int MOST_LOSSES = 3;

    private final TrainerParts parts;
    private final TrainerSettings settings;
    private final TrainerTask task;
    private final Queue<LearnInput> waiting = new ArrayDeque<>();
    private final Deque<SubmittedMinibatch> submitted = new ArrayDeque<>();
    private final TrajectoryReader reader;
    private final BusyClock clock;
    private final TrainerPulse pulse;
    private final TrainMetrics shown;
    private PolicyTrainer trainer;
    private ExecutorService io;
    private EpochClaim claim;
    private SessionCalls calls;
    private StepMetrics stepMetrics = new StepMetrics();
    private TrainerState state;
    private boolean givenUp;
    private long firstVersion;
    private long newestHere;
    private int session;
    private int losses;
    private long versionsBeforeLosses;

    /** A trainer of one of the runs, which goes on where it was. */
    RunTrainer(
            TrainerParts parts,
            TrainerSettings settings,
            TrainerTask task,
            TrainerState state,
            MetricGroup metrics) {
        this.parts = parts;
        this.settings = settings;
        this.task = task;
        this.state = state;
        this.io = IoThreads.open();
        this.trainer = parts.trainer().open();
        this.reader = new TrajectoryReader(parts.store().open(), settings.klCoef(), settings.all());
        this.clock = new BusyClock(task::now);
        this.pulse = new TrainerPulse(parts.watch(), settings.runId());
        this.shown = new TrainMetrics(metrics);
    }

    /** Takes an epoch, or the next minibatch. */
    void take(LearnInput input) {
        report(input.rejects());
        if (input.claim() != null) {
            begin(input.claim());
        } else {
            keep(input);
        }
        submitWaiting();
    }

    /** What to keep. */
    TrainerState state() {
        return state;
    }

    /** Minibatches that are not trained. */
    int untrained() {
        return waiting.size() + submitted.size();
    }

    @Override
    public void close() throws Exception {
        pulse.close();
        if (calls != null) {
            calls.close();
        }
        trainer.close();
        IoThreads.close(io);
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
        givenUp = false;
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
        String from = state.savedUri().isEmpty() ? settings.initialStateUri() : state.savedUri();
        calls = new SessionCalls(settings, trainer, reader, io, sessionName(), from);
        if (!trainer.publicationsOutliveSessions()) {
            SessionCalls under = calls;
            var unused =
                    calls.lost()
                            .whenComplete((never, loss) -> task.mail(() -> advance(under, loss)));
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
        if (claim != null && !givenUp) {
            waiting.add(input);
        }
    }

    private void submitWaiting() {
        while (submitted.size() < settings.inFlight() && !waiting.isEmpty()) {
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
        boolean saves = ends && version > firstVersion && settings.savedAfter(version);
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
                minibatch
                        .done()
                        .whenComplete((done, error) -> task.mail(() -> advance(under, error)));
        if (minibatch.trained() != null && minibatch.published() != null) {
            var unusedTrained =
                    minibatch.trained().whenComplete((done, error) -> task.mail(this::tick));
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
     * Goes on after the loss of a session; every other error ends the run or fails the task. The
     * loss of a session whose publications nobody can sample any more fails the task: the next
     * epoch publishes anew.
     */
    private void goOnInAnotherSession(Throwable error) {
        Optional<TrainerException> loss = SessionLoss.in(error);
        boolean served = trainer.publicationsOutliveSessions();
        if (loss.isPresent() && served && losses < MOST_LOSSES) {
            report(List.of(SessionLoss.reject(claim.runId(), sessionName(), loss.get())));
            anotherSession(loss.get());
        } else if (isOfThisRun(error, loss)) {
            giveUp(error);
        } else {
            throw new IllegalStateException(
                    "The trainer failed in session " + sessionName() + ", losses before: " + losses,
                    error);
        }
    }

    private void anotherSession(TrainerException loss) {
        if (losses == 0) {
            versionsBeforeLosses = task.versions();
        }
        losses++;
        LOG.warn(
                "The session is lost, another one goes on session={} savedStep={} minibatches={}",
                sessionName(),
                state.savedStep(),
                state.kept().size(),
                loss);
        leaveSession();
        openSession();
    }

    /**
     * Whether a failure has to do with this run alone: the trainer refused what it was asked for,
     * or it served other runs all the while. A job that has no other run never gives up.
     */
    private boolean isOfThisRun(Throwable error, Optional<TrainerException> loss) {
        boolean refused = loss.isEmpty() && SessionLoss.failure(error).isPresent();
        boolean lostAgain = loss.isPresent() && losses == MOST_LOSSES;
        boolean othersGoOn = lostAgain && task.versions() > versionsBeforeLosses;
        return task.hasOtherRuns() && (refused || othersGoOn);
    }

    /** The run ends here, unless a later epoch goes on; minibatches that still come are kept. */
    private void giveUp(Throwable error) {
        String cause = SessionLoss.failure(error).map(Throwable::getMessage).orElse("unknown");
        LOG.error("The trainer gives the run up run={}", claim.runId(), error);
        report(List.of(SessionLoss.givenUp(claim.runId(), sessionName(), cause)));
        givenUp = true;
        leaveSession();
        calls = null;
        submitted.clear();
        waiting.clear();
        pulse.reset();
        task.collect(
                PolicyRecord.failed(
                        claim.runId(),
                        claim.epoch(),
                        Math.max(0, state.published()),
                        claim.parentEpoch(),
                        claim.nonce(),
                        cause));
    }

    /** Leaves behind what may hang. */
    private void leaveSession() {
        SessionLoss.abandon(calls, trainer);
        io.shutdownNow();
        io = IoThreads.open();
        trainer = parts.trainer().open();
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
                        version >= settings.steps(),
                        stepMetrics.named(clock));
        shown.published(published);
        task.collect(published);
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
            task.reject(reject);
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
