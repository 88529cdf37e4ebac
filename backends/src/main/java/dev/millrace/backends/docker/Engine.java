package dev.millrace.backends.docker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.sandbox.Uninterrupted;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** Calls to one daemon, each over a connection of its own. Blocks; thread-safe. */
final class Engine {
    /** Newest version of the interface that is spoken here. */
    private static final int NEWEST_MINOR = 44;

    private static final int MOST_JSON_BYTES = 16 << 20;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path socket;
    private volatile String prefix = "";

    Engine(Path socket) {
        this.socket = socket;
    }

    /**
     * Agrees on the version to speak.
     *
     * @throws SandboxException of kind UNSUPPORTED, with the remedy, when nobody answers
     */
    void connect(long timeoutMillis) throws SandboxException {
        EngineCall ping = EngineCall.get("asking the daemon", "/_ping", timeoutMillis);
        try (HttpReply reply = open(ping)) {
            String version = reply.header("api-version");
            if (!version.matches("1\\.[0-9]{1,3}")) {
                throw new IOException("it names no version of the Docker interface");
            }
            prefix = "/v1." + Math.min(NEWEST_MINOR, Integer.parseInt(version.substring(2)));
        } catch (IOException e) {
            throw new SandboxException(
                    Kind.UNSUPPORTED,
                    false,
                    "no Docker daemon at "
                            + socket
                            + " ("
                            + e.getMessage()
                            + "): start one there, or set sandbox.docker.socket",
                    e);
        }
    }

    /** An answer whatever its status; to be closed. */
    HttpReply open(EngineCall call) throws IOException {
        SocketStream stream = new SocketStream(socket, call.timeoutMillis());
        try {
            stream.write(call.head(prefix));
            stream.write(call.body());
            return HttpReply.read(stream, call.method().equals("HEAD"));
        } catch (IOException | RuntimeException e) {
            stream.close();
            throw e;
        }
    }

    /** An answer of success; to be closed. */
    HttpReply opened(EngineCall call) throws SandboxException {
        try {
            HttpReply reply = open(call);
            if (reply.status() < 400) {
                return reply;
            }
            try (reply) {
                throw refusal(call, reply);
            }
        } catch (IOException e) {
            throw EngineFailure.unanswered(call, e);
        }
    }

    /** The answer's document; missing when it is empty. */
    JsonNode json(EngineCall call) throws SandboxException {
        return carried(
                call,
                own -> {
                    try (HttpReply reply = opened(own)) {
                        return document(reply);
                    }
                });
    }

    /** The answer's document, or empty when what is asked about doesn't exist. */
    Optional<JsonNode> find(EngineCall call) throws SandboxException {
        return carried(
                call,
                own -> {
                    try (HttpReply reply = open(own)) {
                        if (reply.status() >= 400 && reply.status() != 404) {
                            throw refusal(own, reply);
                        }
                        return reply.status() == 404
                                ? Optional.empty()
                                : Optional.of(document(reply));
                    }
                });
    }

    /** Only the status, for calls where more than one answer is right. */
    Status status(EngineCall call) throws SandboxException {
        return carried(
                call,
                own -> {
                    try (HttpReply reply = open(own)) {
                        String said = reply.status() < 400 ? "" : message(reply);
                        return new Status(reply.status(), said, reply.header("retry-after"));
                    }
                });
    }

    /** A call with its answer. */
    private interface Exchange<T> {
        T with(EngineCall call) throws IOException, SandboxException;
    }

    /** In a thread of its own where an interrupt of the caller's must not cut it in half. */
    private static <T> T carried(EngineCall call, Exchange<T> exchange) throws SandboxException {
        if (!call.interruptible()) {
            return Uninterrupted.call("docker-call", () -> carried(call.with(true), exchange));
        }
        try {
            return exchange.with(call);
        } catch (IOException e) {
            throw EngineFailure.unanswered(call, e);
        }
    }

    private static JsonNode document(HttpReply reply) throws IOException {
        byte[] body = reply.body(MOST_JSON_BYTES);
        return body.length == 0 ? MissingNode.getInstance() : JSON.readTree(body);
    }

    /** What came back of a call. */
    record Status(int code, String message, String retryAfter) {
        boolean ok() {
            return code < 400;
        }

        SandboxException failure(EngineCall call) {
            return EngineFailure.answered(call, code, message, retryAfter);
        }
    }

    private static SandboxException refusal(EngineCall call, HttpReply reply) throws IOException {
        return EngineFailure.answered(
                call, reply.status(), message(reply), reply.header("retry-after"));
    }

    private static String message(HttpReply reply) throws IOException {
        byte[] body = reply.body(MOST_JSON_BYTES);
        try {
            String message = JSON.readTree(body).path("message").asText();
            if (!message.isEmpty()) {
                return message;
            }
        } catch (IOException noDocument) {
            // It is plain text, then.
            return new String(body, StandardCharsets.UTF_8);
        }
        return new String(body, StandardCharsets.UTF_8);
    }
}
