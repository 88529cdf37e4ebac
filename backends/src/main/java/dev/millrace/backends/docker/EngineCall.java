package dev.millrace.backends.docker;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * One request.
 *
 * @param what what it is for, in words, for messages
 * @param path with its query, all that comes from outside encoded
 * @param interruptible whether an interrupt of the thread ends it: not where the daemon would
 *     finish what the caller believes undone
 */
record EngineCall(
        String what,
        String method,
        String path,
        String contentType,
        byte[] body,
        long timeoutMillis,
        boolean interruptible) {

    static EngineCall get(String what, String path, long timeoutMillis) {
        return new EngineCall(what, "GET", path, "", new byte[0], timeoutMillis, true);
    }

    static EngineCall post(String what, String path, JsonNode body, long timeoutMillis) {
        return new EngineCall(
                what,
                "POST",
                path,
                "application/json",
                body.toString().getBytes(StandardCharsets.UTF_8),
                timeoutMillis,
                true);
    }

    static EngineCall bare(String what, String method, String path, long timeoutMillis) {
        return new EngineCall(what, method, path, "", new byte[0], timeoutMillis, true);
    }

    /** The same, to be finished whatever happens to the caller. */
    EngineCall toTheEnd() {
        return with(false);
    }

    EngineCall with(boolean otherInterruptible) {
        return new EngineCall(
                what, method, path, contentType, body, timeoutMillis, otherInterruptible);
    }

    /** Text as part of a path or a query. */
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    byte[] head(String prefix) {
        StringBuilder head = new StringBuilder();
        head.append(method).append(' ').append(prefix).append(path).append(" HTTP/1.1\r\n");
        head.append("Host: docker\r\nUser-Agent: millrace\r\nConnection: close\r\n");
        if (!contentType.isEmpty()) {
            head.append("Content-Type: ").append(contentType).append("\r\n");
        }
        if (!method.equals("GET") && !method.equals("HEAD")) {
            head.append("Content-Length: ").append(body.length).append("\r\n");
        }
        return head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII);
    }
}
