package dev.millrace.backends.tinker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.backends.tinker.TinkerException.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** The calls of the protocol, each made as often as its kind allows. Never blocks. Thread-safe. */
final class TinkerClient implements AutoCloseable {
    private static final String API = "/api/v1/";
    private static final String SDK_VERSION = "0.24.1";

    private final TinkerSettings settings;
    private final HttpTransport transport;
    private final Timer timer = new Timer("tinker-timer");
    private final Repeats repeats;
    private final FuturePoller poller;
    private volatile boolean closed;

    TinkerClient(TinkerSettings settings, ApiKey key) {
        this.settings = settings;
        this.transport = new HttpTransport(settings.baseUrl(), key, settings.times());
        this.repeats = new Repeats(timer, settings.times());
        this.poller = new FuturePoller(transport, timer, settings.times());
    }

    static ObjectNode object() {
        return HttpAnswer.JSON.createObjectNode();
    }

    /** Names of the models that the server has, with the context each takes; 0 when unsaid. */
    CompletableFuture<Map<String, Integer>> models() {
        return get("get_server_capabilities").thenApply(ServerModels::read);
    }

    CompletableFuture<String> createSession(String tag) {
        ObjectNode body = object();
        body.putArray("tags").add(tag);
        body.putObject("user_metadata");
        body.put("sdk_version", SDK_VERSION);
        body.put("type", "create_session");
        return post("create_session", body, Repeats.SAFE)
                .thenApply(answer -> text(answer, "session_id"));
    }

    CompletableFuture<Void> heartbeat(String sessionId) {
        ObjectNode body = object();
        body.put("session_id", sessionId);
        body.put("type", "session_heartbeat");
        long patience = Math.max(settings.times().heartbeat(), settings.times().connect());
        HttpCall call = HttpCall.post(API + "session_heartbeat", body, patience);
        return once(call).thenApply(answer -> null);
    }

    /** The new model's id. A lost answer may leave a model behind in the session. */
    CompletableFuture<String> createModel(String sessionId) {
        ObjectNode body = object();
        body.put("session_id", sessionId);
        body.put("model_seq_id", 0);
        body.put("base_model", settings.baseModel());
        ObjectNode lora = body.putObject("lora_config");
        lora.put("rank", settings.rank());
        lora.put("seed", Seed32.of(settings.seed()));
        lora.put("train_unembed", false);
        lora.put("train_mlp", true);
        lora.put("train_attn", true);
        body.put("type", "create_model");
        return queued("create_model", "CreateModel", body, Repeats.ONCE)
                .thenCompose(this::result)
                .thenApply(answer -> text(answer, "model_id"));
    }

    /** What is known of a model; its status, where the server says one. */
    CompletableFuture<JsonNode> info(String modelId) {
        return post("get_info", model(modelId, "get_info"), failure -> false);
    }

    CompletableFuture<Void> unload(String modelId) {
        return queued("unload_model", "UnloadModel", model(modelId, "unload_model"), Repeats.SAFE)
                .thenCompose(this::result)
                .thenApply(answer -> null);
    }

    /** Names of a model's checkpoints, with their paths. */
    CompletableFuture<JsonNode> checkpoints(String modelId) {
        return get("training_runs/" + modelId + "/checkpoints");
    }

    CompletableFuture<String> createSamplingSession(ObjectNode body) {
        return post("create_sampling_session", body, Repeats.SAFE)
                .thenApply(answer -> text(answer, "sampling_session_id"));
    }

    /** Queues an operation. */
    CompletableFuture<Queued> queued(
            String path, String type, ObjectNode body, Predicate<TinkerException> again) {
        return post(path, body, again).thenApply(answer -> queued(answer, type));
    }

    /** Queues a sample; asked once, and refused by a server that is busy. */
    CompletableFuture<Queued> sample(ObjectNode body) {
        HttpCall call =
                HttpCall.post(API + "asample", body, settings.times().submit())
                        .with(Map.of("X-Tinker-Sampling-Backpressure", "1"));
        return once(call).thenApply(answer -> queued(answer.json(), "Sample"));
    }

    /** Queues an operation whose body is not a JSON tree. */
    CompletableFuture<Queued> queued(
            String path,
            String type,
            String contentType,
            byte[] body,
            Predicate<TinkerException> again) {
        HttpCall call = HttpCall.post(API + path, contentType, body, settings.times().submit());
        return repeated(call, again).thenApply(answer -> queued(answer.json(), type));
    }

    private static Queued queued(JsonNode answer, String type) {
        return new Queued(text(answer, "request_id"), type);
    }

    /** The answer of a queued operation; whoever completes the future ends the asking. */
    CompletableFuture<HttpAnswer> answer(Queued operation) {
        return poller.await(operation.requestId(), operation.type());
    }

    private CompletableFuture<JsonNode> result(Queued operation) {
        return answer(operation).thenApply(HttpAnswer::json);
    }

    private static ObjectNode model(String modelId, String type) {
        ObjectNode body = object();
        body.put("model_id", modelId);
        body.put("type", type);
        return body;
    }

    private CompletableFuture<JsonNode> get(String path) {
        HttpCall call = HttpCall.get(API + path, settings.times().submit());
        return repeated(call, Repeats.SAFE).thenApply(HttpAnswer::json);
    }

    private CompletableFuture<JsonNode> post(
            String path, ObjectNode body, Predicate<TinkerException> again) {
        HttpCall call = HttpCall.post(API + path, body, settings.times().submit());
        return repeated(call, again).thenApply(HttpAnswer::json);
    }

    /** Every try carries the same key, by which some servers know it again. */
    private CompletableFuture<HttpAnswer> repeated(
            HttpCall call, Predicate<TinkerException> again) {
        HttpCall named = call.with(Map.of("X-Idempotency-Key", UUID.randomUUID().toString()));
        return repeats.call(() -> once(named), again);
    }

    private CompletableFuture<HttpAnswer> once(HttpCall call) {
        return transport
                .send(call)
                .thenApply(
                        answer -> {
                            if (answer.ok()) {
                                return answer;
                            }
                            throw answer.problem(call.path());
                        });
    }

    Timer timer() {
        return timer;
    }

    TinkerSettings settings() {
        return settings;
    }

    private static String text(JsonNode answer, String field) {
        JsonNode value = answer.path(field);
        if (!value.isValueNode() || value.isNull()) {
            List<String> fields = new ArrayList<>();
            answer.fieldNames().forEachRemaining(fields::add);
            throw new TinkerException(
                    Kind.INVALID, "The server's answer has no " + field + ", only " + fields);
        }
        return value.asText();
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
        timer.close();
    }
}
