package dev.millrace.backends.tinker;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.millrace.backends.tinker.TinkerException.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;

/**
 * What a server said.
 *
 * @param status of HTTP
 * @param contentType of the body, lower case
 * @param body bytes
 * @param retryAfterMillis pause that the server asks for; 0 for none
 */
record HttpAnswer(int status, String contentType, byte[] body, long retryAfterMillis) {
    /** Reads and writes JSON; servers may write numbers that are none. */
    static final ObjectMapper JSON =
            JsonMapper.builder().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();

    private static final int MOST_DETAIL = 400;

    boolean ok() {
        return status >= 200 && status < 300;
    }

    boolean isProtobuf() {
        return contentType.contains("protobuf");
    }

    JsonNode json() {
        try {
            JsonNode read = JSON.readTree(body);
            if (read != null && !read.isMissingNode()) {
                return read;
            }
        } catch (IOException e) {
            throw new TinkerException(
                    Kind.INVALID, "The server answered with something that is no JSON.", 0, e);
        }
        throw new TinkerException(Kind.INVALID, "The server answered with nothing.");
    }

    /** The body as JSON; a missing node when it is none. */
    JsonNode jsonIfAny() {
        try {
            JsonNode read = JSON.readTree(body);
            return read == null ? MissingNode.getInstance() : read;
        } catch (IOException notJson) {
            return MissingNode.getInstance();
        }
    }

    /** What the server says went wrong, cut short; empty when it says nothing. */
    String detail() {
        JsonNode read = jsonIfAny();
        JsonNode detail = read.path("detail");
        String text = detail.isArray() ? joined(detail) : detail.asText("");
        if (read.isMissingNode()) {
            text = new String(body, StandardCharsets.UTF_8).strip();
        }
        return text.length() <= MOST_DETAIL ? text : text.substring(0, MOST_DETAIL) + "...";
    }

    /** Problems of single fields; the refused input, which may be large, is left out. */
    private static String joined(JsonNode problems) {
        StringJoiner all = new StringJoiner("; ");
        for (JsonNode problem : problems) {
            StringJoiner field = new StringJoiner(".");
            problem.path("loc").forEach(part -> field.add(part.asText()));
            all.add(field + ": " + problem.path("msg").asText());
        }
        return all.toString();
    }

    /** The failure that an answer other than 2xx stands for. */
    TinkerException problem(String call) {
        Kind kind =
                switch (status) {
                    case 401, 403 -> Kind.UNAUTHORIZED;
                    case 402 -> Kind.BILLING;
                    case 404 -> Kind.NOT_FOUND;
                    case 408 -> Kind.UNANSWERED;
                    case 409 -> Kind.CONFLICT;
                    case 410 -> Kind.RESULT_LOST;
                    case 425 -> Kind.NOT_READY;
                    case 429 -> Kind.BUSY;
                    default -> status >= 500 ? Kind.UNANSWERED : Kind.INVALID;
                };
        String said = detail();
        return new TinkerException(
                kind,
                call + ": HTTP " + status + (said.isEmpty() ? "" : ", " + said),
                retryAfterMillis,
                null);
    }
}
