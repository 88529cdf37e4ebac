package dev.millrace.pipeline.topology;

import dev.millrace.pipeline.settings.FlinkSettings;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The whole job on one screen. */
public final class TrainTopology {
    /** Slot sharing group of the learn region: no other region has a task in its slot. */
    public static final String TRAINER_SLOT = "trainer";

    private TrainTopology() {}

    /**
     * Adds a run to an environment.
     *
     * <pre>
     * rollout: tasks, groups, progress, policies, turns -> Admit groups -> Play attempts -> Grade attempts
     *          -> Close groups -> groups
     * learn:   groups -> Assemble minibatches -> Train -> policies; what it took and dropped -> progress
     * ledger:  groups, policies, progress, turns, rejects -> Parquet
     * </pre>
     */
    public static void build(StreamExecutionEnvironment env, RunPlan plan) {
        SlotResources.register(env, plan.recipe());
        RolloutRegion.attach(env, plan);
        LearnRegion.attach(env, plan);
        LedgerRegion.attach(env, plan);
    }

    /** Slots that a run fills: one for each parallel subtask, and the trainer's. */
    public static int slots(FlinkSettings settings) {
        return settings.parallelism() + 1;
    }
}
