package dev.millrace.backends.render;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** A call of the form {@code {"name": "bash", "arguments": {"command": "..."}}}. */
final class JsonCall {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private JsonCall() {}

    static String command(String call) throws MalformedCallException {
        JsonNode read;
        try {
            read = JSON.readTree(call);
        } catch (JsonProcessingException e) {
            throw new MalformedCallException("a call must be one JSON object", e);
        }
        if (read == null || !read.isObject()) {
            throw new MalformedCallException("a call must be one JSON object");
        }
        if (!read.path("name").asText().equals("bash")) {
            throw new MalformedCallException("the name of the function must be bash");
        }
        JsonNode arguments = read.path("arguments");
        if (!arguments.path("command").isTextual()) {
            throw new MalformedCallException("the arguments must hold command, a text");
        }
        if (arguments.size() != 1) {
            throw new MalformedCallException("there is no argument but command");
        }
        return arguments.path("command").asText();
    }
}
