package dev.millrace.backends.tinker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.backends.tinker.TinkerException.Kind;

/**
 * What a policy said.
 *
 * @param tokens sampled ids
 * @param logprobs of them
 * @param stopped whether a stop token ended it
 * @param promptLogprobs of the prompt, NaN where missing; null when not asked for
 */
record SampleResult(int[] tokens, float[] logprobs, boolean stopped, float[] promptLogprobs) {

    static SampleResult of(HttpAnswer answer) {
        return answer.isProtobuf() ? SampleProto.read(answer.body()) : read(answer.json());
    }

    private static SampleResult read(JsonNode result) {
        JsonNode sequence = result.path("sequences").path(0);
        if (!sequence.path("tokens").isArray()) {
            throw new TinkerException(Kind.OPERATION, "The server's sample holds no sequence.");
        }
        int[] tokens = new int[sequence.path("tokens").size()];
        for (int i = 0; i < tokens.length; i++) {
            tokens[i] = sequence.path("tokens").get(i).asInt(-1);
        }
        JsonNode prompt = result.path("prompt_logprobs");
        return new SampleResult(
                tokens,
                ForwardBackwardJson.floats(sequence.path("logprobs")),
                sequence.path("stop_reason").asText().equals("stop"),
                prompt.isArray() ? ForwardBackwardJson.floats(prompt) : null);
    }

    /**
     * The prompt's log-probabilities as long as the prompt, 0 for the first token; some servers
     * leave that one out.
     *
     * @throws TinkerException when there are more or fewer, or one is no number
     */
    float[] ofPrompt(int length) {
        int known = promptLogprobs == null ? -1 : promptLogprobs.length;
        if (known != length && known != length - 1) {
            throw new TinkerException(
                    Kind.OPERATION,
                    "The server gave " + known + " log-probabilities for " + length + " tokens.");
        }
        float[] all = new float[length];
        for (int i = 1; i < length; i++) {
            all[i] = promptLogprobs[i - (length - known)];
            if (!Float.isFinite(all[i])) {
                throw new TinkerException(
                        Kind.OPERATION, "The log-probability of token " + i + " is no number.");
            }
        }
        return all;
    }
}
