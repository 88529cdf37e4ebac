package dev.millrace.bench.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * Samples turns, by (seed, task, attempt, turn). Serves every version that it is asked for and says
 * which it was.
 */
final class ModelService implements SimServer.Faulty {
    private static final ObjectMapper JSON = new ObjectMapper();
    private final Workload workload;
    private final ServiceLog log;

    ModelService(Workload workload, ServiceLog log) {
        this.workload = workload;
        this.log = log;
    }

    void routes(SimServer server) {
        server.route("/sample", this, this::sample);
        server.route("/logprobs", this, this::logprobs);
    }

    @Override
    public FaultTarget target() {
        return FaultTarget.MODEL;
    }

    @Override
    public String id(JsonNode request) {
        return SimTokens.name(request.path("attempt").asLong())
                + "."
                + request.path("turn").asInt();
    }

    @Override
    public void before(JsonNode request, FaultRule fault) {
        if (fault.effect() == FaultEffect.NAN) {
            ((ObjectNode) request).put("nan", true);
        }
    }

    private CompletableFuture<Answer> sample(JsonNode request) {
        long attempt = request.path("attempt").asLong();
        int turn = request.path("turn").asInt();
        int task = request.path("task").asInt();
        log.append(
                ServiceLog.line("sample")
                        .put("attempt", SimTokens.name(attempt))
                        .put("turn", turn)
                        .put("effect", request.path("effect").asText())
                        .put("version", request.path("version").asText())
                        .put("prompt", request.path("promptDigest").asText()));
        int[] whole =
                SimTokens.turn(
                        attempt,
                        turn,
                        workload.kind(task, attempt, turn),
                        workload.turnTokens(attempt, turn));
        int[] tokens = Arrays.copyOf(whole, Math.min(whole.length, request.path("max").asInt()));
        ObjectNode body = JSON.createObjectNode();
        body.set("tokens", JSON.valueToTree(tokens));
        body.set("logprobs", logprobs(attempt, turn, tokens.length, request.has("nan")));
        body.put("version", request.path("version").asText());
        body.put("stopped", tokens.length == whole.length);
        return CompletableFuture.completedFuture(
                new Answer(body, workload.sampleMillis(attempt, turn)));
    }

    private CompletableFuture<Answer> logprobs(JsonNode request) {
        ObjectNode body = JSON.createObjectNode();
        int count = request.path("tokens").asInt();
        ArrayNode values = logprobs(request.path("attempt").asLong(), -1, count, false);
        if (count > 0) {
            values.set(0, 0.0);
        }
        body.set("logprobs", values);
        return CompletableFuture.completedFuture(new Answer(body, 1500));
    }

    private ArrayNode logprobs(long attempt, int turn, int count, boolean nan) {
        SplittableRandom random = Draws.of(workload.seed(), "logprobs", attempt, turn);
        ArrayNode values = JSON.createArrayNode();
        for (int i = 0; i < count; i++) {
            values.add((float) -random.nextDouble(0.01, 4));
        }
        if (nan && count > 0) {
            values.setNull(count / 2);
        }
        return values;
    }
}
