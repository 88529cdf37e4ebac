package dev.millrace.jobs.export;

import java.util.List;
import java.util.Map;

/** The {@code result.json} of a run. */
record JobResult(
        String id,
        String startedAt,
        String updatedAt,
        String finishedAt,
        long nTotalTrials,
        Stats stats) {

    /** Sums over all attempts. */
    record Stats(
            long nCompletedTrials,
            long nErroredTrials,
            long nRunningTrials,
            long nPendingTrials,
            long nCancelledTrials,
            long nRetries,
            Map<String, Eval> evals,
            long nInputTokens,
            Long nCacheTokens,
            long nOutputTokens,
            Double costUsd) {}

    /**
     * Sums over the attempts of one agent, model and set of tasks.
     *
     * @param nTrials with a valid reward
     * @param nErrors that something went wrong with
     * @param rewardStats which attempts earned what, by kind of reward
     * @param exceptionStats which attempts failed, by type
     */
    record Eval(
            long nTrials,
            long nErrors,
            List<Map<String, Double>> metrics,
            Map<Integer, Double> passAtK,
            Map<String, Map<Double, List<String>>> rewardStats,
            Map<String, List<String>> exceptionStats) {}
}
