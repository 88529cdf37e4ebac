package dev.millrace.backends.tinker;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * What is asked of a server.
 *
 * @param method of HTTP
 * @param path after the address, with its slash
 * @param contentType of the body
 * @param body bytes; empty for none
 * @param headers besides the usual ones
 * @param timeoutMillis until the answer is there
 */
record HttpCall(
        String method,
        String path,
        String contentType,
        byte[] body,
        Map<String, String> headers,
        long timeoutMillis) {
    static final String JSON = "application/json";
    static final String PROTOBUF = "application/x-protobuf";

    static HttpCall get(String path, long timeoutMillis) {
        return new HttpCall("GET", path, JSON, new byte[0], Map.of(), timeoutMillis);
    }

    static HttpCall post(String path, JsonNode body, long timeoutMillis) {
        return post(path, JSON, bytes(body), timeoutMillis);
    }

    static HttpCall post(String path, String contentType, byte[] body, long timeoutMillis) {
        return new HttpCall("POST", path, contentType, body, Map.of(), timeoutMillis);
    }

    HttpCall with(Map<String, String> moreHeaders) {
        return new HttpCall(method, path, contentType, body, moreHeaders, timeoutMillis);
    }

    private static byte[] bytes(JsonNode body) {
        try {
            return HttpAnswer.JSON.writeValueAsBytes(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
