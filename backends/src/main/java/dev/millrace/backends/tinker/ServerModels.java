package dev.millrace.backends.tinker;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;

/** What a server says about its models. */
final class ServerModels {
    private ServerModels() {}

    static Map<String, Integer> read(JsonNode capabilities) {
        Map<String, Integer> models = new TreeMap<>();
        for (JsonNode model : capabilities.path("supported_models")) {
            models.put(
                    model.path("model_name").asText(), model.path("max_context_length").asInt(0));
        }
        return models;
    }
}
