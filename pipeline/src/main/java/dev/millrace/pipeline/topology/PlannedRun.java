package dev.millrace.pipeline.topology;

/**
 * A run of a job.
 *
 * @param runId names it, in every record
 * @param seed of its random choices
 * @param weight its part of the rollout slots while all runs have work
 */
public record PlannedRun(String runId, long seed, double weight) {}
