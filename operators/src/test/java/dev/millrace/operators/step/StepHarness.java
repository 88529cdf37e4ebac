package dev.millrace.operators.step;

import dev.millrace.backends.port.EffectRunner;
import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.operators.topic.Wire;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.step.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.runtime.state.heap.HeapKeyedStateBackend;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.mailbox.Mail;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;

/** One instance of the stage, with a journal and effects that the test works by hand. */
final class StepHarness extends AbstractStreamOperatorTestHarness<FinishedAttempt> {
    static final String RUN = "run";
    static final int MAX_PARALLELISM = 128;

    /** What the stage appended, in order. */
    final List<StepEvent> appended;

    /** Effects that were started and have not ended, by item and effect id. */
    final Map<String, CompletableFuture<StepEvent>> started;

    /** Items that were released, in order. */
    final List<String> released;

    private final World world;

    private StepHarness(World world, int parallelism, int subtask, String... runs)
            throws Exception {
        super(
                new DurableStepFactory<>(
                        new StepStage<>(
                                new CountingMachine(),
                                Admission.class,
                                (index, all, fence) -> world.opened(fence),
                                world::open,
                                List.of(runs),
                                1)),
                MAX_PARALLELISM,
                parallelism,
                subtask);
        this.world = world;
        this.appended = world.appended;
        this.started = world.started;
        this.released = world.released;
        KeySelector<StepInput, String> route = StepInput::route;
        config.setStatePartitioner(0, route);
        config.setStateKeySerializer(
                Types.STRING.createSerializer(executionConfig.getSerializerConfig()));
        config.serializeAllConfigs();
    }

    static StepHarness create() throws Exception {
        return create(1, 0);
    }

    static StepHarness create(int parallelism, int subtask) throws Exception {
        return new StepHarness(new World(), parallelism, subtask, RUN);
    }

    /** A stage of a job of several runs. */
    static StepHarness ofRuns(String... runs) throws Exception {
        return new StepHarness(new World(), 1, 0, runs);
    }

    void arrive(Admission item) throws Exception {
        one(StepInput.of(item));
    }

    void caughtUp(String route) throws Exception {
        TopicRecord mark = TopicRecord.caughtUp("turns", 0, 1);
        one(
                StepInput.of(
                        new TopicRecord(
                                mark.kind(), "turns", -1, -1, route, mark.value(), -1, 0, 1)));
    }

    void readBack(StepEvent event) throws Exception {
        readBack(event.route(), Wire.encode(event));
    }

    void readBack(String route, byte[] value) throws Exception {
        one(StepInput.of(TopicRecord.data("turns", 0, 7, route, value)));
    }

    /** Reads back what was appended since the last call. */
    void readBackAll() throws Exception {
        while (world.read < appended.size()) {
            readBack(appended.get(world.read++));
        }
    }

    /** Ends an effect with a failure. */
    void fail(Admission item, int step, Failure failure) {
        String effectId = CountingMachine.effectId(step);
        started.remove(item.attemptId() + "#" + effectId)
                .complete(
                        CountingMachine.event(item, effectId, StepEvent.Kind.FAILED).with(failure));
    }

    /** Entries of keyed state on the heap, one for each state and route. */
    int keptEntries() {
        AbstractStreamOperator<?> stage = (AbstractStreamOperator<?>) operator;
        return ((HeapKeyedStateBackend<?>) stage.<String>getKeyedStateBackend())
                .numKeyValueStateEntries();
    }

    /** What left the stream, or should be looked at. */
    List<Reject> rejects() {
        var side = getSideOutput(DurableStepFactory.REJECTS);
        return side == null ? List.of() : side.stream().map(StreamRecord::getValue).toList();
    }

    /** Ends an effect as it should. */
    void complete(Admission item, int step) {
        String effectId = CountingMachine.effectId(step);
        started.remove(item.attemptId() + "#" + effectId)
                .complete(CountingMachine.event(item, effectId, StepEvent.Kind.SAMPLED));
    }

    void policy(Object record) throws Exception {
        StreamRecord<TopicRecord> element =
                new StreamRecord<>(TopicRecord.data("policies", 0, 0, RUN, Wire.encode(record)));
        operator().setKeyContextElement2(element);
        operator().processElement2(element);
    }

    void endKeyedInput() throws Exception {
        ((DurableStepOperator<?, ?>) (Object) operator).endInput(1);
    }

    void runMails() throws Exception {
        for (Optional<Mail> m = getTaskMailbox().tryTake(0);
                m.isPresent();
                m = getTaskMailbox().tryTake(0)) {
            m.get().run();
        }
    }

    /** Number of the stage's present opening. */
    long fence() {
        return world.fence;
    }

    /** Run and open leases of each time that orphans were to be ended. */
    List<String> reaped() {
        return world.reaped;
    }

    void failJournal() {
        world.failed.accept(new IllegalStateException("broker is gone"));
    }

    private void one(StepInput input) throws Exception {
        StreamRecord<StepInput> element = new StreamRecord<>(input);
        operator().setKeyContextElement1(element);
        operator().processElement1(element);
    }

    @SuppressWarnings("unchecked")
    private TwoInputStreamOperator<StepInput, TopicRecord, FinishedAttempt> operator() {
        return (TwoInputStreamOperator<StepInput, TopicRecord, FinishedAttempt>) (Object) operator;
    }

    private static final class World implements EffectRunner, StepJournal {
        final List<StepEvent> appended = new ArrayList<>();
        final Map<String, CompletableFuture<StepEvent>> started = new TreeMap<>();
        final List<String> released = new ArrayList<>();
        final List<String> reaped = new ArrayList<>();
        long fence;
        int read;
        Consumer<Throwable> failed;

        EffectRunner opened(long number) {
            fence = number;
            return this;
        }

        StepJournal open(Consumer<Throwable> onFailure) {
            failed = onFailure;
            return this;
        }

        @Override
        public void append(StepEvent event) {
            appended.add(event);
        }

        @Override
        public CompletableFuture<StepEvent> start(Effect effect) {
            CompletableFuture<StepEvent> future = new CompletableFuture<>();
            started.put(effect.itemId() + "#" + effect.effectId(), future);
            return future;
        }

        @Override
        public void release(String itemId, String admissionId) {
            released.add(itemId);
            started.keySet().removeIf(id -> id.startsWith(itemId + "#"));
        }

        @Override
        public void reap(String runId, Set<String> openLeases) {
            reaped.add(runId + " " + new TreeSet<>(openLeases));
        }

        @Override
        public void close() {
            started.clear();
        }
    }
}
