package dev.millrace.pipeline.topology;

import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The whole job on one screen. */
public final class TrainTopology {
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
        RolloutRegion.attach(env, plan);
        LearnRegion.attach(env, plan);
        LedgerRegion.attach(env, plan);
    }
}
