package dev.millrace.backends.image;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an image says about the processes in it.
 *
 * @param environment variables
 * @param workdir where commands start; empty when it doesn't say
 * @param user name or number of who runs commands, maybe with a group behind a colon; empty when it
 *     doesn't say
 */
public record ImageConfig(Map<String, String> environment, String workdir, String user) {

    /** Of an image that says nothing. */
    public static final ImageConfig NONE = new ImageConfig(Map.of(), "", "");

    /** From the image's configuration, as OCI and Docker write it. */
    static ImageConfig of(JsonNode image) {
        JsonNode config = image.path("config");
        Map<String, String> environment = new LinkedHashMap<>();
        for (JsonNode pair : config.path("Env")) {
            int equals = pair.asText().indexOf('=');
            if (equals > 0) {
                environment.put(
                        pair.asText().substring(0, equals), pair.asText().substring(equals + 1));
            }
        }
        return new ImageConfig(
                Map.copyOf(environment),
                config.path("WorkingDir").asText(""),
                config.path("User").asText(""));
    }
}
