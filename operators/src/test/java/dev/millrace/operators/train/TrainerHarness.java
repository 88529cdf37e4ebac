package dev.millrace.operators.train;

import static org.awaitility.Awaitility.await;

import dev.millrace.backends.fake.FakePolicyTrainer;
import dev.millrace.backends.fake.FakeSession;
import dev.millrace.backends.port.AdamSpec;
import dev.millrace.backends.port.LossSpec;
import dev.millrace.backends.port.PolicyTrainer;
import dev.millrace.operators.Samples;
import dev.millrace.operators.watch.WatchSettings;
import dev.millrace.udfs.minibatch.EpochClaim;
import dev.millrace.udfs.minibatch.LearnInput;
import dev.millrace.udfs.model.Minibatch;
import dev.millrace.udfs.model.MinibatchItem;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.Reject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.mailbox.Mail;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;

/** A trainer operator on a fake trainer; the test's thread is the task's. */
final class TrainerHarness implements AutoCloseable {
    static final OutputTag<Reject> REJECTS = new OutputTag<>("rejects") {};
    static final int MINIBATCHES = 2;
    private static FakePolicyTrainer trainer;
    private static PolicyTrainer port;
    private static MemoryStore store;
    private final OneInputStreamOperatorTestHarness<LearnInput, PolicyRecord> harness;

    /** Static, since a factory is copied to where the operator runs. */
    static TrainerHarness open(FakePolicyTrainer on, MemoryStore from, OperatorSubtaskState state)
            throws Exception {
        return open(on, from, state, 60_000);
    }

    /** One whose trainer may take that long for a call. */
    static TrainerHarness open(
            FakePolicyTrainer on, MemoryStore from, OperatorSubtaskState state, long callMillis)
            throws Exception {
        return open(on, from, state, callMillis, false);
    }

    /** One that fails when an attempt can't be read. */
    static TrainerHarness openStrict(FakePolicyTrainer on, MemoryStore from) throws Exception {
        return open(on, from, null, 60_000, true);
    }

    private static TrainerHarness open(
            FakePolicyTrainer on,
            MemoryStore from,
            OperatorSubtaskState state,
            long callMillis,
            boolean all)
            throws Exception {
        trainer = on;
        port = on;
        store = from;
        return new TrainerHarness(state, List.of(settings(Samples.RUN, callMillis, all)));
    }

    /** One that trains several runs, by a port to a fake trainer. */
    static TrainerHarness ofRuns(
            PolicyTrainer by, MemoryStore from, OperatorSubtaskState state, String... runs)
            throws Exception {
        port = by;
        store = from;
        return new TrainerHarness(
                state, Stream.of(runs).map(run -> settings(run, 60_000, false)).toList());
    }

    private static TrainerSettings settings(String run, long callMillis, boolean all) {
        return new TrainerSettings(
                run,
                "",
                5,
                2,
                1,
                0,
                new LossSpec(0.8, 1.28),
                new AdamSpec(1, 0.9, 0.99, 1e-8, 0, 1),
                3,
                callMillis,
                all);
    }

    private TrainerHarness(OperatorSubtaskState state, List<TrainerSettings> runs)
            throws Exception {
        TrainerParts parts =
                new TrainerParts(runs, () -> port, () -> store, REJECTS, WatchSettings.OFF);
        harness = new OneInputStreamOperatorTestHarness<>(new TrainerFactory(parts), 1, 1, 0);
        if (state != null) {
            harness.initializeState(state);
        }
        harness.open();
    }

    void claim(long epoch, long parent, long fork) throws Exception {
        claim(Samples.RUN, epoch, parent, fork);
    }

    void claim(String run, long epoch, long parent, long fork) throws Exception {
        send(LearnInput.of(new EpochClaim(run, epoch, parent, fork, "n" + epoch)));
    }

    /** Sends a minibatch of one attempt, whose trajectory lies in the store. */
    void minibatch(long epoch, long step, int index) throws Exception {
        String attempt = Samples.RUN + "/g" + (MINIBATCHES * step + index) + "/a0";
        store.trajectory(attempt);
        send(LearnInput.of(minibatch(epoch, step, index, List.of(attempt)), 1));
    }

    /** Sends both minibatches of a step of a run. */
    void step(String run, long epoch, long step) throws Exception {
        for (int index = 0; index < MINIBATCHES; index++) {
            String attempt = run + "/g" + (MINIBATCHES * step + index) + "/a0";
            store.trajectory(attempt);
            Minibatch any = minibatch(epoch, step, index, List.of(attempt));
            send(
                    LearnInput.of(
                            new Minibatch(
                                    run,
                                    epoch,
                                    step,
                                    index,
                                    MINIBATCHES,
                                    List.of(),
                                    any.items(),
                                    4,
                                    0.5),
                            1));
        }
    }

    void send(LearnInput input) throws Exception {
        harness.processElement(new StreamRecord<>(input));
    }

    static Minibatch minibatch(long epoch, long step, int index, List<String> attempts) {
        List<MinibatchItem> items = new ArrayList<>();
        for (String attempt : attempts) {
            items.add(
                    new MinibatchItem(
                            attempt, new MemoryStore().trajectory(attempt), 0.5, 2, null));
        }
        return new Minibatch(
                Samples.RUN, epoch, step, index, MINIBATCHES, List.of(), items, 4, 0.5);
    }

    /** Runs mails on this thread until something holds. */
    void until(Callable<Boolean> condition) {
        await().pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(
                        () -> {
                            drain();
                            return condition.call();
                        });
    }

    void untilPublished(long version) {
        until(() -> published().stream().anyMatch(p -> p.step() == version));
    }

    void drain() throws Exception {
        Optional<Mail> mail = harness.getTaskMailbox().tryTake(0);
        while (mail.isPresent()) {
            mail.get().run();
            mail = harness.getTaskMailbox().tryTake(0);
        }
    }

    List<PolicyRecord> published() {
        return harness.extractOutputValues();
    }

    List<Reject> rejects() {
        var side = harness.getSideOutput(REJECTS);
        return side == null ? List.of() : side.stream().map(StreamRecord::getValue).toList();
    }

    FakeSession session() {
        List<FakeSession> sessions = trainer.sessions();
        return sessions.get(sessions.size() - 1);
    }

    /** The clock of the stage. */
    void clock(long millis) throws Exception {
        harness.setProcessingTime(millis);
    }

    OperatorSubtaskState snapshot() throws Exception {
        return harness.snapshot(1, 1);
    }

    void endInput() throws Exception {
        harness.endInput();
    }

    @Override
    public void close() throws Exception {
        harness.close();
    }
}
