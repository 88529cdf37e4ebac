package dev.millrace.pipeline.topology;

import dev.millrace.operators.admission.AdmissionGate;
import dev.millrace.operators.admission.GateJournal;
import dev.millrace.operators.admission.GateOutputs;
import dev.millrace.operators.admission.GateRows;
import dev.millrace.operators.admission.GateSettings;
import dev.millrace.operators.admission.GateTopics;
import dev.millrace.operators.admission.KafkaFinalMarkers;
import dev.millrace.operators.admission.RunShare;
import dev.millrace.operators.group.GroupWindow;
import dev.millrace.operators.group.GroupWindowSettings;
import dev.millrace.operators.step.DurableStepFactory;
import dev.millrace.operators.step.StepInput;
import dev.millrace.operators.topic.CaughtUpFanOut;
import dev.millrace.operators.topic.Routes;
import dev.millrace.operators.topic.TopicFeed;
import dev.millrace.operators.topic.TopicNames;
import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.operators.topic.TopicSpec;
import dev.millrace.operators.watch.WatchedKeyedProcess;
import dev.millrace.pipeline.adapters.TaskRows;
import dev.millrace.pipeline.settings.EffectSettings;
import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.udfs.admission.AdmissionSettings;
import dev.millrace.udfs.grading.GradingMachine;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.GradedAttempt;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.RowDemand;
import dev.millrace.udfs.rollout.RolloutMachine;
import java.time.Duration;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.OutputTag;

/** Region 1: what is played, playing it, grading it, and closing groups. */
final class RolloutRegion {
    private static final String REGION = "rollout";

    /** Rows of each partition of a task topic that wait at the gate. */
    private static final int ROWS_AHEAD = 64;

    /** A time, in milliseconds, that no run reaches. */
    private static final long NEVER = Duration.ofDays(36_500).toMillis();

    private static final OutputTag<GroupRecord> DRAINED =
            new OutputTag<>("drained", Types.POJO(GroupRecord.class));
    private static final OutputTag<ProgressRecord> BALANCES =
            new OutputTag<>("balances", Types.POJO(ProgressRecord.class));
    private static final OutputTag<RowDemand> ROW_DEMAND =
            new OutputTag<>("row-demand", Types.POJO(RowDemand.class));
    private static final OutputTag<Reject> REJECTS =
            new OutputTag<>("rejects", Types.POJO(Reject.class));

    private final RunPlan plan;
    private final TopicNames topics;
    private final TopicStreams streams;

    /** Topic of task rows, null when the catalogue has the tasks. */
    private final TopicFeed feed;

    private final int parallelism;
    private final int maxParallelism;

    /** Readers of the journal: no more than there are slots, whatever it was made with. */
    private final int readers;

    private RolloutRegion(StreamExecutionEnvironment env, RunPlan plan) {
        this.plan = plan;
        this.topics = plan.topics();
        this.streams = new TopicStreams(env, plan, REGION);
        String rows = plan.recipe().tasks().topic();
        this.feed = rows.isEmpty() ? null : new TopicFeed(rows, RowDemand.key(plan.runId()));
        this.parallelism = plan.recipe().flink().parallelism();
        this.maxParallelism = env.getMaxParallelism();
        this.readers = Math.min(parallelism, plan.turnsPartitions());
    }

    static void attach(StreamExecutionEnvironment env, RunPlan plan) {
        new RolloutRegion(env, plan).attach();
    }

    private void attach() {
        DataStream<TopicRecord> policies = streams.read(topics.policies(), 1);
        DataStream<TopicRecord> journal = streams.read(topics.turns(), readers);
        DataStream<TopicRecord> turns =
                journal.flatMap(new CaughtUpFanOut(maxParallelism))
                        .returns(Types.POJO(TopicRecord.class))
                        .setParallelism(readers)
                        .name("Fan out journal")
                        .setDescription(
                                "Fan out journal: what was played so far, to the stages that fold"
                                        + " it before they start anything")
                        .uid("journal-fan-out");

        SingleOutputStreamOperator<Admission> admitted = gate(policies, journal);
        SingleOutputStreamOperator<FinishedAttempt> finished = rollout(admitted, turns, policies);
        SingleOutputStreamOperator<GradedAttempt> graded = grading(finished, turns, policies);
        SingleOutputStreamOperator<GroupRecord> groups = groups(graded);

        streams.write(
                groups.union(admitted.getSideOutput(DRAINED)), topics.groups(), GroupRecord::runId);
        streams.write(admitted.getSideOutput(BALANCES), topics.progress(), ProgressRecord::runId);
        if (feed != null) {
            String key = feed.demandKey();
            streams.write(admitted.getSideOutput(ROW_DEMAND), topics.tasks(), demand -> key);
        }
        streams.write(
                admitted.getSideOutput(REJECTS)
                        .union(
                                finished.getSideOutput(DurableStepFactory.REJECTS),
                                graded.getSideOutput(DurableStepFactory.REJECTS),
                                groups.getSideOutput(REJECTS)),
                topics.rejects(),
                Reject::stage);
    }

    private SingleOutputStreamOperator<Admission> gate(
            DataStream<TopicRecord> policies, DataStream<TopicRecord> journal) {
        DataStream<TopicRecord> ofRollout =
                journal.filter(new GateJournal())
                        .setParallelism(readers)
                        .name("Journal for the gate")
                        .setDescription("Journal for the gate: what began and ended, by attempt")
                        .uid("journal-for-gate");
        return streams.read(topics.tasks(), feed, 1)
                .union(
                        streams.read(topics.groups(), 1),
                        streams.read(topics.progress(), 1),
                        policies,
                        ofRollout)
                .keyBy(new ByRun(plan.runId()), Types.STRING)
                .transform(
                        "Admit groups",
                        Types.POJO(Admission.class),
                        new WatchedKeyedProcess<>(
                                new AdmissionGate(
                                        gateSettings(),
                                        new GateOutputs(DRAINED, BALANCES, ROW_DEMAND, REJECTS)),
                                "admission",
                                plan.watch()))
                .setParallelism(1)
                .setMaxParallelism(1)
                .setDescription(
                        "Admit groups: starts the attempts of a task when the trainer is at most"
                                + " train.maxLag steps behind and rollout slots are free. Tasks"
                                + " wait here: see admission.open and occupiedSlots")
                .uid(Uids.GATE);
    }

    private SingleOutputStreamOperator<FinishedAttempt> rollout(
            DataStream<Admission> admitted,
            DataStream<TopicRecord> turns,
            DataStream<TopicRecord> policies) {
        return items(admitted, turns, StepInput::of, "rollout")
                .keyBy(StepInput::route)
                .connect(policies.broadcast())
                .transform(
                        "Play attempts",
                        Types.POJO(FinishedAttempt.class),
                        DurableStepFactory.of(
                                        new RolloutMachine(),
                                        Admission.class,
                                        plan.backends().rollout(),
                                        plan.kafka(),
                                        topics.turns(),
                                        plan.runIds(),
                                        plan.recipe().train().steps())
                                .watched(plan.watch()))
                .setParallelism(parallelism)
                .setDescription(
                        "Play attempts: samples turns from the newest policy and runs them in a"
                                + " sandbox, many attempts at once. Idle while it waits for both:"
                                + " see rollout.itemsOpen and effectMillis")
                .uid(Uids.ROLLOUT);
    }

    private SingleOutputStreamOperator<GradedAttempt> grading(
            DataStream<FinishedAttempt> finished,
            DataStream<TopicRecord> turns,
            DataStream<TopicRecord> policies) {
        return items(finished, turns, StepInput::of, "grading")
                .keyBy(StepInput::route)
                .connect(policies.broadcast())
                .transform(
                        "Grade attempts",
                        Types.POJO(GradedAttempt.class),
                        DurableStepFactory.of(
                                        new GradingMachine(plan.recipe().grading().truncated()),
                                        FinishedAttempt.class,
                                        plan.backends().grading(),
                                        plan.kafka(),
                                        topics.turns(),
                                        plan.runIds(),
                                        plan.recipe().train().steps())
                                .watched(plan.watch()))
                .setParallelism(parallelism)
                .setDescription(
                        "Grade attempts: runs the task's tests on what an attempt left, in a fresh"
                                + " sandbox. Idle while it waits for them: see"
                                + " grading.itemsOpen and effectMillis")
                .uid(Uids.GRADING);
    }

    private SingleOutputStreamOperator<GroupRecord> groups(DataStream<GradedAttempt> graded) {
        Recipe recipe = plan.recipe();
        long deadline = recipe.rollout().groupDeadline().toMillis();
        long closing = recipe.run().lockstep() ? NEVER : deadline;
        return graded.keyBy(attempt -> attempt.attempt().admission().groupId())
                .transform(
                        "Close groups",
                        Types.POJO(GroupRecord.class),
                        new WatchedKeyedProcess<>(
                                new GroupWindow(
                                        new GroupWindowSettings(
                                                closing,
                                                2 * deadline,
                                                recipe.grading().minValidAttempts(),
                                                recipe.train().keepsConstantGroups()),
                                        REJECTS),
                                "group",
                                plan.watch()))
                .setParallelism(parallelism)
                .setDescription(
                        "Close groups: waits for all attempts of a task, or the deadline; only"
                                + " groups with mixed rewards teach")
                .uid(Uids.GROUPS);
    }

    private <T> DataStream<StepInput> items(
            DataStream<T> items,
            DataStream<TopicRecord> turns,
            MapFunction<T, StepInput> wrap,
            String stage) {
        DataStream<StepInput> arriving =
                items.map(wrap)
                        .returns(Types.POJO(StepInput.class))
                        .setParallelism(items.getParallelism())
                        .name("To " + stage)
                        .setDescription("To " + stage + ": new work, keyed by route")
                        .uid("to-" + stage);
        DataStream<StepInput> journal =
                turns.map(StepInput::of)
                        .returns(Types.POJO(StepInput.class))
                        .setParallelism(readers)
                        .name("Journal for " + stage)
                        .setDescription("Journal for " + stage + ": its completed steps, read back")
                        .uid("journal-for-" + stage);
        return arriving.union(journal);
    }

    private GateSettings gateSettings() {
        return new GateSettings(
                plan.runs().stream()
                        .map(run -> new RunShare(admission(run), run.weight()))
                        .toList(),
                new GateTopics(
                        topics.tasks(),
                        topics.turns(),
                        topics.groups(),
                        topics.policies(),
                        topics.progress()),
                feed == null
                        ? null
                        : new GateRows(feed.topic(), new TaskRows(plan.recipe().tasks().root())),
                new KafkaFinalMarkers(
                        plan.kafka().client(),
                        topics.specs(plan.turnsPartitions()).stream()
                                .map(TopicSpec::name)
                                .toList()));
    }

    private AdmissionSettings admission(PlannedRun run) {
        Recipe recipe = plan.recipe();
        AdmissionSettings admission =
                new AdmissionSettings(
                        run.runId(),
                        run.seed(),
                        recipe.rollout().groupSize(),
                        recipe.train().groupsPerBatch(),
                        recipe.train().steps(),
                        recipe.train().maxLag(),
                        recipe.limits().starvationLimit(),
                        recipe.rollout().slots(),
                        recipe.eval().slots(),
                        evalEverySteps(recipe),
                        recipe.eval().attempts(),
                        recipe.rollout().temperature(),
                        recipe.run().lockstep()
                                ? recipe.rollout().budget().withoutChance()
                                : recipe.rollout().budget(),
                        Routes.spread(maxParallelism, parallelism),
                        recipe.tasks().curriculum());
        AdmissionSettings guarded = recipe.run().lockstep() ? admission : guarded(admission);
        return feed == null ? guarded : guarded.withRows(ROWS_AHEAD);
    }

    /** What depends on the clock has no place in lockstep. */
    private AdmissionSettings guarded(AdmissionSettings admission) {
        EffectSettings effects = plan.recipe().limits().effects();
        return admission.withQuarantine(
                effects.quarantineTaskAfter(), effects.quarantine().toMillis());
    }

    /** The first and the last version are always measured; 0 means no others. */
    private static long evalEverySteps(Recipe recipe) {
        int every = recipe.eval().everySteps();
        return every > 0 ? every : Integer.MAX_VALUE;
    }

    /** Whatever the gate hears lies under its job, the marks and the journal too. */
    private record ByRun(String runId) implements KeySelector<TopicRecord, String> {
        @Override
        public String getKey(TopicRecord record) {
            return runId;
        }
    }
}
