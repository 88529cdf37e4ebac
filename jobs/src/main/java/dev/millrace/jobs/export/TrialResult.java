package dev.millrace.jobs.export;

import java.util.List;
import java.util.Map;

/** The {@code result.json} of an attempt, which Harbor calls a trial. Null means not known. */
record TrialResult(
        String id,
        String taskName,
        String trialName,
        String trialUri,
        TaskId taskId,
        String source,
        String taskChecksum,
        TrialConfig config,
        AgentInfo agentInfo,
        AgentResult agentResult,
        VerifierResult verifierResult,
        ExceptionInfo exceptionInfo,
        String startedAt,
        String finishedAt,
        Timing environmentSetup,
        Timing agentSetup,
        Timing agentExecution,
        Timing verifier) {

    /** Where the task's folder lies. */
    record TaskId(String path) {}

    /** Who played. */
    record AgentInfo(String name, String version, ModelInfo modelInfo) {}

    /** Which weights. */
    record ModelInfo(String name, String provider) {}

    /**
     * What the agent used.
     *
     * @param nInputTokens all prompts added up, each with the tokens before it
     * @param rolloutDetails one conversation, or null without a trajectory
     */
    record AgentResult(
            Long nInputTokens,
            Long nCacheTokens,
            Long nOutputTokens,
            Double costUsd,
            List<RolloutDetail> rolloutDetails,
            Map<String, Object> metadata) {}

    /** A conversation in tokens: an element a turn. */
    record RolloutDetail(
            List<TokenArray> promptTokenIds,
            List<TokenArray> completionTokenIds,
            List<LogprobArray> logprobs,
            Map<String, List<?>> extra) {}

    /** What the verifier said. */
    record VerifierResult(Map<String, Double> rewards) {}

    /** What went wrong. */
    record ExceptionInfo(
            String exceptionType,
            String exceptionMessage,
            String exceptionTraceback,
            String occurredAt) {}
}
