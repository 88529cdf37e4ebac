package dev.millrace.jobs.export;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;

/**
 * A document of the Agent Trajectory Interchange Format. Its readers refuse fields that the format
 * doesn't know, and null means that a field is left out.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Atif(
        String schemaVersion,
        String sessionId,
        String trajectoryId,
        Agent agent,
        List<Step> steps,
        String notes,
        FinalMetrics finalMetrics,
        Map<String, Object> extra) {
    static final String VERSION = "ATIF-v1.7";

    /** Who played. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Agent(String name, String version, String modelName) {}

    /**
     * What was said, by the system, the user or the agent.
     *
     * @param stepId 1 for the first, then one more each
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Step(
            int stepId,
            String timestamp,
            String source,
            String modelName,
            String message,
            List<ToolCall> toolCalls,
            Observation observation,
            Metrics metrics,
            Integer llmCallCount,
            Map<String, Object> extra) {}

    /** What the agent wanted to be run. */
    record ToolCall(String toolCallId, String functionName, Map<String, String> arguments) {}

    /** What came of a step. */
    record Observation(List<Result> results) {}

    /**
     * What the agent read.
     *
     * @param sourceCallId a tool call of the same step, or null
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Result(String sourceCallId, String content, Map<String, Object> extra) {}

    /** The tokens of a step. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Metrics(
            int promptTokens,
            int completionTokens,
            TokenArray promptTokenIds,
            TokenArray completionTokenIds,
            LogprobArray logprobs,
            Map<String, Object> extra) {}

    /** Sums over all steps. */
    record FinalMetrics(long totalPromptTokens, long totalCompletionTokens, int totalSteps) {}
}
