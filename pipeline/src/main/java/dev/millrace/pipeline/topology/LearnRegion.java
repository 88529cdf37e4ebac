package dev.millrace.pipeline.topology;

import dev.millrace.operators.minibatch.KafkaEpochClaims;
import dev.millrace.operators.minibatch.MinibatchAssembler;
import dev.millrace.operators.reference.ReferenceLogprobs;
import dev.millrace.operators.topic.TopicNames;
import dev.millrace.operators.train.TrainerFactory;
import dev.millrace.operators.train.TrainerParts;
import dev.millrace.operators.train.TrainerSettings;
import dev.millrace.operators.watch.WatchedProcess;
import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.pipeline.settings.TrainSettings;
import dev.millrace.udfs.minibatch.BatchSettings;
import dev.millrace.udfs.minibatch.LearnInput;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Reject;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.OutputTag;

/** Region 2: closed groups become minibatches, and minibatches policy versions. */
final class LearnRegion {
    private static final String REGION = "learn";
    private static final int MINIBATCHES_IN_FLIGHT = 2;
    private static final long REFERENCE_TIMEOUT_MILLIS = 600_000;

    /**
     * More minibatches than the gate lets a run have, so that no checkpoint waits for the stage.
     */
    private static final int REFERENCE_CAPACITY = 1_000;

    private static final OutputTag<ProgressRecord> PROGRESS =
            new OutputTag<>("progress", Types.POJO(ProgressRecord.class));
    private static final OutputTag<Reject> REJECTS =
            new OutputTag<>("rejects", Types.POJO(Reject.class));

    private final RunPlan plan;
    private final TopicNames topics;
    private final TopicStreams streams;

    private LearnRegion(StreamExecutionEnvironment env, RunPlan plan) {
        this.plan = plan;
        this.topics = plan.topics();
        this.streams = new TopicStreams(env, plan, REGION);
    }

    static void attach(StreamExecutionEnvironment env, RunPlan plan) {
        new LearnRegion(env, plan).attach();
    }

    private void attach() {
        SingleOutputStreamOperator<LearnInput> minibatches = minibatches();
        SingleOutputStreamOperator<PolicyRecord> policies = trainer(withReference(minibatches));
        streams.write(policies, topics.policies(), PolicyRecord::runId);
        streams.write(
                minibatches.getSideOutput(PROGRESS), topics.progress(), ProgressRecord::runId);
        streams.write(
                minibatches.getSideOutput(REJECTS).union(policies.getSideOutput(REJECTS)),
                topics.rejects(),
                Reject::stage);
    }

    private SingleOutputStreamOperator<LearnInput> minibatches() {
        List<BatchSettings> settings = plan.runs().stream().map(this::batches).toList();
        // What follows inherits the group: a task manager that is lost takes this region with it,
        // or the others, not all of them.
        return streams.read(topics.groups(), 1)
                .slotSharingGroup(TrainTopology.TRAINER_SLOT)
                .transform(
                        "Assemble minibatches",
                        Types.POJO(LearnInput.class),
                        new WatchedProcess<>(
                                new MinibatchAssembler(
                                        settings,
                                        new KafkaEpochClaims(
                                                plan.kafka().client(), topics.policies()),
                                        PROGRESS,
                                        REJECTS),
                                "minibatch",
                                plan.watch()))
                .setParallelism(1)
                .setMaxParallelism(1)
                .setDescription(
                        "Assemble minibatches: takes closed groups in order, drops those that are"
                                + " too old for the policy, normalises advantages")
                .uid(Uids.MINIBATCH);
    }

    private DataStream<LearnInput> withReference(DataStream<LearnInput> minibatches) {
        if (plan.recipe().train().klCoef() == 0) {
            return minibatches;
        }
        return ReferenceLogprobs.attach(
                        minibatches,
                        new ReferenceLogprobs(
                                plan.reference(),
                                plan.backends().reference(),
                                plan.backends().store(),
                                plan.recipe().run().lockstep()),
                        REFERENCE_TIMEOUT_MILLIS,
                        REFERENCE_CAPACITY * plan.runs().size())
                .setParallelism(1)
                .name("Ask the reference policy")
                .setDescription("Ask the reference policy: log-probabilities for the KL term")
                .uid(Uids.REFERENCE);
    }

    /** Says so, in the trainer's slot and before it opens anything, when the GPU isn't there. */
    private DataStream<LearnInput> onAccelerator(DataStream<LearnInput> minibatches) {
        return plan.recipe()
                .train()
                .gpuResource()
                .<DataStream<LearnInput>>map(
                        resource ->
                                minibatches
                                        .filter(new AcceleratorCheck<>(resource))
                                        .setParallelism(1)
                                        .setMaxParallelism(1)
                                        .name("Check for " + resource)
                                        .setDescription(
                                                "Check for "
                                                        + resource
                                                        + ": fails when this slot has no such GPU")
                                        .uid(Uids.ACCELERATOR))
                .orElse(minibatches);
    }

    private SingleOutputStreamOperator<PolicyRecord> trainer(DataStream<LearnInput> minibatches) {
        List<TrainerSettings> settings = plan.runs().stream().map(this::training).toList();
        return onAccelerator(minibatches)
                .transform(
                        "Train",
                        Types.POJO(PolicyRecord.class),
                        new TrainerFactory(
                                new TrainerParts(
                                        settings,
                                        plan.backends().trainer(),
                                        plan.backends().store(),
                                        REJECTS,
                                        plan.watch())))
                .setParallelism(1)
                .setMaxParallelism(1)
                .setDescription(
                        "Train: forward, backward and update in flight together; publishes a"
                                + " policy after each step. Idle while the trainer works: see"
                                + " train.trainMillis and waitMillis; much waiting means that"
                                + " rollouts are slow")
                .uid(Uids.TRAINER);
    }

    private BatchSettings batches(PlannedRun run) {
        Recipe recipe = plan.recipe();
        TrainSettings train = recipe.train();
        return new BatchSettings(
                run.runId(),
                run.seed(),
                train.groupsPerBatch(),
                train.groupsPerMinibatch(),
                train.steps(),
                train.maxLag(),
                true,
                recipe.controls().shuffleRewards(),
                recipe.run().lockstep());
    }

    private TrainerSettings training(PlannedRun run) {
        TrainSettings train = plan.recipe().train();
        return new TrainerSettings(
                run.runId(),
                plan.initialStateUri(),
                train.steps(),
                train.saveEverySteps(),
                train.passes(),
                train.klCoef(),
                train.loss(),
                train.adam(),
                MINIBATCHES_IN_FLIGHT,
                train.stepTimeout().toMillis(),
                plan.recipe().run().lockstep());
    }
}
