package dev.millrace.backends.fake.tinker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** The calls of a fake server: checks them and queues what they ask for. */
final class FakeCalls {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,255}");

    private final ServerShape shape;
    private final ServerFaults faults;
    private final FakeEngine engine;
    private final Operations operations;
    private final Map<String, Long> sessions = new ConcurrentHashMap<>();
    private final Map<String, String> samplers = new ConcurrentHashMap<>();
    private final Map<String, JsonNode> numbered = new ConcurrentHashMap<>();
    private final Map<String, ObjectNode> promised = new ConcurrentHashMap<>();
    private final Set<String> names = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();

    FakeCalls(ServerShape shape, ServerFaults faults, FakeEngine engine, Operations operations) {
        this.shape = shape;
        this.faults = faults;
        this.engine = engine;
        this.operations = operations;
    }

    JsonNode answer(String call, JsonNode body) throws InterruptedException {
        endOldSessions();
        return switch (call) {
            case "healthz" -> JSON.createObjectNode().put("status", "ok");
            case "get_server_capabilities" -> capabilities();
            case "create_session" -> createSession(body);
            case "session_heartbeat" -> heartbeat(body);
            case "create_model" -> createModel(body);
            case "get_info" -> info(body);
            case "forward_backward" -> gradient(body);
            case "optim_step" -> training(call, body, () -> engine.update(body));
            case "save_weights" -> save(body, "weights");
            case "save_weights_for_sampler" -> save(body, "sampler_weights");
            case "load_weights" -> operations.queue(() -> engine.load(body));
            case "unload_model" -> operations.queue(() -> engine.unload(body));
            case "create_sampling_session" -> createSampler(body);
            case "asample" -> sample(body);
            case "retrieve_future" ->
                    operations.result(text(body, "request_id"), shape.holdMillis());
            default -> throw new Refusal(404, "Not Found");
        };
    }

    private JsonNode capabilities() {
        ObjectNode answer = JSON.createObjectNode();
        answer.putArray("supported_models")
                .addObject()
                .put("model_name", shape.model())
                .put("max_context_length", shape.context());
        return answer;
    }

    private JsonNode createSession(JsonNode body) {
        text(body, "sdk_version");
        if (!body.path("tags").isArray()) {
            throw new Refusal(422, "tags: Field required");
        }
        String id = "session-" + count.incrementAndGet();
        sessions.put(id, Long.MAX_VALUE);
        return JSON.createObjectNode().put("session_id", id);
    }

    private JsonNode heartbeat(JsonNode body) {
        sessions.put(session(body), System.nanoTime() / 1_000_000);
        return JSON.createObjectNode().put("type", "session_heartbeat");
    }

    private String session(JsonNode body) {
        String id = text(body, "session_id");
        if (!sessions.containsKey(id)) {
            throw new Refusal(404, "Session not found");
        }
        return id;
    }

    /** A session that never had a heartbeat never ends. */
    private void endOldSessions() {
        long now = System.nanoTime() / 1_000_000;
        sessions.forEach(
                (id, last) -> {
                    if (last != Long.MAX_VALUE && now - last > shape.sessionMillis()) {
                        engine.unloadSession(id);
                    }
                });
    }

    private JsonNode createModel(JsonNode body) {
        String session = session(body);
        if (!text(body, "base_model").equals(shape.model())) {
            throw new Refusal(400, "Unknown base model " + body.path("base_model").asText());
        }
        return operations.queue(() -> engine.create(session, body));
    }

    private JsonNode info(JsonNode body) {
        String id = text(body, "model_id");
        return JSON.createObjectNode()
                .put("model_id", id)
                .put(
                        "status",
                        engine.isLoaded(id) || faults.knowsLostModels ? "created" : "unloaded");
    }

    private JsonNode gradient(JsonNode body) {
        if (body.path("forward_backward_input").path("data").isEmpty()) {
            throw new Refusal(422, "data: is empty");
        }
        return training(
                "forward_backward",
                body,
                () ->
                        body.path("forward_only").asBoolean()
                                ? engine.forward(body)
                                : engine.forwardBackward(body));
    }

    /** The same call under the same number is carried out once. */
    private synchronized JsonNode training(String call, JsonNode body, Supplier<JsonNode> work) {
        if (!body.path("seq_id").isInt()) {
            throw new Refusal(422, "seq_id: Field required");
        }
        String number = text(body, "model_id") + "/" + body.path("seq_id").asInt();
        if (faults.forgetsNumbers || !numbered.containsKey(number)) {
            ObjectNode promise = operations.queue(work);
            numbered.put(number, body);
            promised.put(number, promise);
            return promise;
        }
        if (!numbered.get(number).equals(body)) {
            throw new Refusal(409, "Training request sequence number was reused: " + call);
        }
        return promised.get(number);
    }

    private JsonNode save(JsonNode body, String folder) {
        if (!NAME.matcher(text(body, "path")).matches()) {
            throw new Refusal(422, "path: String should match pattern");
        }
        String path = FakeEngine.path(body, folder);
        if (!names.add(path)) {
            throw new Refusal(409, "Checkpoint exists: " + path);
        }
        return operations.queue(() -> engine.save(body, folder));
    }

    private JsonNode createSampler(JsonNode body) {
        session(body);
        String path = body.path("model_path").asText();
        if (path.isEmpty() && !text(body, "base_model").equals(shape.model())) {
            throw new Refusal(400, "Unknown base model");
        }
        String id = "sampler-" + count.incrementAndGet();
        samplers.put(id, path);
        return JSON.createObjectNode().put("sampling_session_id", id);
    }

    private JsonNode sample(JsonNode body) {
        String path = samplers.get(text(body, "sampling_session_id"));
        if (path == null) {
            throw new Refusal(404, "Sampling session not found");
        }
        if (!path.isEmpty() && !engine.has(path)) {
            throw new Refusal(404, "Checkpoint not found");
        }
        JsonNode parameters = body.path("sampling_params");
        boolean seeds32 = parameters.path("seed").isInt();
        if (!seeds32 || parameters.path("max_tokens").asInt() < 1) {
            throw new Refusal(400, "max_tokens and a 32-bit seed are required");
        }
        if (body.path("prompt").path("chunks").path(0).path("tokens").isEmpty()) {
            throw new Refusal(400, "the prompt is empty");
        }
        return operations.queue(() -> engine.sample(path, body));
    }

    /** As after a restart: checkpoints and results are there, models, sessions and samplers not. */
    void forgetModels() {
        engine.unloadAll();
    }

    /** Ends all sessions. */
    void forgetSessions() {
        engine.unloadAll();
        sessions.clear();
        samplers.clear();
    }

    private static String text(JsonNode body, String field) {
        if (!body.path(field).isTextual()) {
            throw new Refusal(422, field + ": Field required");
        }
        return body.path(field).asText();
    }
}
