package dev.millrace.backends.docker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** Images of the daemon, pulled when they are missing, each by one caller at a time. */
final class Images {
    private static final int MOST_PROGRESS_BYTES = 64 << 20;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Engine engine;
    private final DockerSettings settings;
    private final ConcurrentHashMap<String, ReentrantLock> pulls = new ConcurrentHashMap<>();

    Images(Engine engine, DockerSettings settings) {
        this.engine = engine;
        this.settings = settings;
    }

    /**
     * Makes sure that it is there, and says how many bytes it has.
     *
     * @throws SandboxException of kind IMAGE when it is not to be had, RATE_LIMITED when the
     *     registry asks for a pause
     */
    long require(String image) throws SandboxException {
        long bytes = size(image);
        if (bytes >= 0) {
            return bytes;
        }
        ReentrantLock turn = pulls.computeIfAbsent(image, name -> new ReentrantLock());
        try {
            turn.lockInterruptibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SandboxException(Kind.CANCELLED, false, "cancelled by the caller", e);
        }
        try {
            if (size(image) < 0) {
                pull(image);
            }
        } finally {
            turn.unlock();
        }
        bytes = size(image);
        if (bytes < 0) {
            throw new SandboxException(Kind.IMAGE, "image " + image + " is not there when pulled");
        }
        return bytes;
    }

    /** Its bytes, or -1 when the daemon hasn't got it. */
    private long size(String image) throws SandboxException {
        EngineCall call =
                EngineCall.get(
                        "looking for image " + image,
                        "/images/" + EngineCall.encoded(image) + "/json",
                        settings.requestTimeoutMillis());
        return engine.find(call).map(found -> found.path("Size").asLong()).orElse(-1L);
    }

    private void pull(String image) throws SandboxException {
        EngineCall call =
                EngineCall.bare(
                        "pulling image " + image,
                        "POST",
                        "/images/create?fromImage="
                                + EngineCall.encoded(repository(image))
                                + "&tag="
                                + EngineCall.encoded(tag(image)),
                        settings.pullTimeoutMillis());
        try (HttpReply reply = engine.open(call)) {
            byte[] body = reply.body(MOST_PROGRESS_BYTES);
            String error = error(body);
            if (reply.status() == 429) {
                throw EngineFailure.answered(call, 429, error, reply.header("retry-after"));
            }
            if (reply.status() >= 400 || !error.isEmpty()) {
                throw EngineFailure.pulled(
                        image, error.isEmpty() ? "status " + reply.status() : error);
            }
        } catch (IOException e) {
            throw EngineFailure.unanswered(call, e);
        }
    }

    /** The error in a stream of progress documents, or of a refusal; empty when there is none. */
    private static String error(byte[] body) throws IOException {
        try (MappingIterator<JsonNode> documents =
                JSON.readerFor(JsonNode.class).readValues(new ByteArrayInputStream(body))) {
            while (documents.hasNextValue()) {
                JsonNode document = documents.nextValue();
                for (String field : new String[] {"error", "message"}) {
                    if (!document.path(field).asText().isEmpty()) {
                        return document.path(field).asText();
                    }
                }
            }
            return "";
        }
    }

    private static int tagAt(String image) {
        int digest = image.indexOf('@');
        int colon = image.lastIndexOf(':');
        return digest >= 0 ? digest : colon > image.lastIndexOf('/') ? colon : image.length();
    }

    private static String repository(String image) {
        return image.substring(0, tagAt(image));
    }

    private static String tag(String image) {
        int at = tagAt(image);
        return at == image.length() ? "latest" : image.substring(at + 1);
    }
}
