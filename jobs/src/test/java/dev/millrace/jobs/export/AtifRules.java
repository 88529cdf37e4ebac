package dev.millrace.jobs.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Set;

/** The rules that readers of ATIF-v1.7 refuse a trajectory by. */
final class AtifRules {
    private static final Set<String> ROOT =
            Set.of(
                    "schema_version",
                    "session_id",
                    "trajectory_id",
                    "agent",
                    "steps",
                    "notes",
                    "final_metrics",
                    "continued_trajectory_ref",
                    "subagent_trajectories",
                    "extra");
    private static final Set<String> AGENT =
            Set.of("name", "version", "model_name", "tool_definitions", "extra");
    private static final Set<String> STEP =
            Set.of(
                    "step_id",
                    "timestamp",
                    "source",
                    "message",
                    "observation",
                    "is_copied_context",
                    "llm_call_count",
                    "extra");
    private static final Set<String> AGENT_STEP =
            Set.of("model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics");
    private static final Set<String> CALL =
            Set.of("tool_call_id", "function_name", "arguments", "extra");
    private static final Set<String> RESULT =
            Set.of("source_call_id", "content", "subagent_trajectory_ref", "extra");
    private static final Set<String> METRICS =
            Set.of(
                    "prompt_tokens",
                    "completion_tokens",
                    "cached_tokens",
                    "cost_usd",
                    "prompt_token_ids",
                    "completion_token_ids",
                    "logprobs",
                    "extra");
    private static final Set<String> TOTALS =
            Set.of(
                    "total_prompt_tokens",
                    "total_completion_tokens",
                    "total_cached_tokens",
                    "total_cost_usd",
                    "total_steps",
                    "extra");

    private AtifRules() {}

    static void check(JsonNode trajectory) {
        fields(trajectory, ROOT, Set.of("schema_version", "agent", "steps"));
        assertThat(trajectory.get("schema_version").asText()).isEqualTo("ATIF-v1.7");
        fields(trajectory.get("agent"), AGENT, Set.of("name", "version"));
        fields(trajectory.get("final_metrics"), TOTALS, Set.of());
        JsonNode steps = trajectory.get("steps");
        assertThat(steps.size()).isPositive();
        assertThat(trajectory.at("/final_metrics/total_steps").asInt()).isEqualTo(steps.size());
        for (int i = 0; i < steps.size(); i++) {
            assertThat(steps.get(i).get("step_id").asInt()).isEqualTo(i + 1);
            step(steps.get(i));
        }
    }

    private static void step(JsonNode step) {
        Set<String> known = new HashSet<>(STEP);
        if (step.get("source").asText().equals("agent")) {
            known.addAll(AGENT_STEP);
        } else {
            assertThat(step.get("source").asText()).isIn("system", "user");
        }
        fields(step, known, Set.of("step_id", "source", "message"));
        Set<String> calls = new HashSet<>();
        for (JsonNode call : step.path("tool_calls")) {
            fields(call, CALL, Set.of("tool_call_id", "function_name", "arguments"));
            assertThat(calls.add(call.get("tool_call_id").asText())).isTrue();
        }
        for (JsonNode result : step.path("observation").path("results")) {
            fields(result, RESULT, Set.of());
            if (result.has("source_call_id")) {
                assertThat(calls).contains(result.get("source_call_id").asText());
            }
        }
        if (step.has("metrics")) {
            metrics(step.get("metrics"));
        }
    }

    private static void metrics(JsonNode metrics) {
        fields(metrics, METRICS, Set.of("prompt_tokens", "completion_tokens"));
        int completion = metrics.get("completion_tokens").asInt();
        assertThat(metrics.get("prompt_token_ids")).hasSize(metrics.get("prompt_tokens").asInt());
        assertThat(metrics.get("completion_token_ids")).hasSize(completion);
        assertThat(metrics.get("logprobs")).hasSize(completion).allMatch(JsonNode::isNumber);
    }

    private static void fields(JsonNode node, Set<String> known, Set<String> required) {
        Set<String> there = new HashSet<>();
        node.fieldNames().forEachRemaining(there::add);
        assertThat(known).containsAll(there);
        assertThat(there).containsAll(required);
        node.forEach(value -> assertThat(value.isNull()).isFalse());
    }
}
