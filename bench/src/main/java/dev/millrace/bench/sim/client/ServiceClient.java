package dev.millrace.bench.sim.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Calls one service. A call that the service did not take, because it is away or says 429 or 503,
 * is made again with growing pauses; any other failure is the caller's business.
 */
public final class ServiceClient {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(Duration.ofSeconds(5))
                    .build();
    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 2000;
    private static final int TOO_MANY = 429;
    private static final int UNAVAILABLE = 503;
    private static final int TASK_EXCEPTION = 599;

    private final String root;
    private final long patienceMillis;

    /**
     * @param port of the service on this machine
     * @param patienceMillis how long a call is tried again while the service is away
     */
    public ServiceClient(int port, long patienceMillis) {
        this.root = "http://127.0.0.1:" + port;
        this.patienceMillis = patienceMillis;
    }

    /** A request to fill in. */
    public static ObjectNode request() {
        return JSON.createObjectNode();
    }

    /**
     * Makes a call. The answer fails with {@link ServiceFailure} or {@link InjectedTaskException}.
     */
    public CompletableFuture<JsonNode> call(String path, JsonNode body) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(root + path))
                        .POST(BodyPublishers.ofString(body.toString()))
                        .build();
        long giveUp = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
        return attempt(request, giveUp, FIRST_PAUSE_MILLIS);
    }

    /** Makes a call and waits. */
    JsonNode callNow(String path, JsonNode body) {
        try {
            return call(path, body).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    private CompletableFuture<JsonNode> attempt(HttpRequest request, long giveUp, long pause) {
        return HTTP.sendAsync(request, BodyHandlers.ofString())
                .handle((response, problem) -> problem == null ? read(response) : lost(problem))
                .thenCompose(
                        outcome -> {
                            boolean away = outcome.failure != null && outcome.notTaken;
                            if (away && System.nanoTime() < giveUp) {
                                return later(request, giveUp, pause);
                            }
                            return outcome.failure == null
                                    ? CompletableFuture.completedFuture(outcome.body)
                                    : CompletableFuture.failedFuture(outcome.failure);
                        });
    }

    private CompletableFuture<JsonNode> later(HttpRequest request, long giveUp, long pause) {
        long jittered = pause / 2 + ThreadLocalRandom.current().nextLong(pause);
        Executor after = CompletableFuture.delayedExecutor(jittered, TimeUnit.MILLISECONDS);
        long longer = Math.min(LONGEST_PAUSE_MILLIS, 2 * pause);
        return CompletableFuture.runAsync(() -> {}, after)
                .thenCompose(paused -> attempt(request, giveUp, longer));
    }

    private static Outcome read(HttpResponse<String> response) {
        int status = response.statusCode();
        try {
            JsonNode body = JSON.readTree(response.body());
            if (status == 200) {
                return new Outcome(body, null, false);
            }
            if (status == TASK_EXCEPTION) {
                return new Outcome(null, new InjectedTaskException(), false);
            }
            String message = "HTTP " + status + ": " + body.path("error").asText();
            boolean notTaken = status == TOO_MANY || status == UNAVAILABLE;
            return new Outcome(null, new ServiceFailure(status, message), notTaken);
        } catch (JsonProcessingException e) {
            return new Outcome(null, new ServiceFailure(status, "the answer is no JSON"), false);
        }
    }

    private static Outcome lost(Throwable problem) {
        Throwable root = problem instanceof CompletionException ? problem.getCause() : problem;
        String message = root instanceof IOException ? root.toString() : String.valueOf(root);
        return new Outcome(
                null,
                new ServiceFailure(ServiceFailure.UNREACHABLE, message),
                root instanceof ConnectException);
    }

    /** How one try ended. */
    private record Outcome(JsonNode body, RuntimeException failure, boolean notTaken) {}
}
