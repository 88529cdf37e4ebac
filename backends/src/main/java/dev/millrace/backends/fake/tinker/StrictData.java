package dev.millrace.backends.fake.tinker;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Refuses data that other servers would take in silence. */
final class StrictData {
    private static final List<String> REQUIRED = List.of("target_tokens", "logprobs", "advantages");

    private StrictData() {}

    static void check(JsonNode datum, int vocabulary) {
        JsonNode inputs = datum.path("model_input").path("chunks").path(0).path("tokens");
        JsonNode tensors = datum.path("loss_fn_inputs");
        for (String name : REQUIRED) {
            if (tensors.path(name).path("data").size() != inputs.size() || inputs.isEmpty()) {
                throw new Refusal(400, name + " has another length than the input");
            }
        }
        for (JsonNode tensor : tensors) {
            if (tensor.path("shape").path(0).asInt() != inputs.size()) {
                throw new Refusal(400, "a tensor's shape is not its length");
            }
            for (JsonNode value : tensor.path("data")) {
                if (!value.isNumber() || !Double.isFinite(value.asDouble())) {
                    throw new Refusal(400, "a tensor holds what is no number: " + value);
                }
            }
        }
        for (JsonNode token : inputs) {
            if (!token.isInt() || token.asInt() < 0 || token.asInt() >= vocabulary) {
                throw new Refusal(400, "there is no token " + token);
            }
        }
    }
}
