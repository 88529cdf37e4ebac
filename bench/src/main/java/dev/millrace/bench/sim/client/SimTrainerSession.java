package dev.millrace.bench.sim.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.backends.port.AdamSpec;
import dev.millrace.backends.port.Datum;
import dev.millrace.backends.port.LossResult;
import dev.millrace.backends.port.LossSpec;
import dev.millrace.backends.port.OptimResult;
import dev.millrace.backends.port.TrainerException;
import dev.millrace.backends.port.TrainerSession;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A session at the trainer service. Calls are numbered; the service carries them out in order. */
final class SimTrainerSession implements TrainerSession {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int GONE = 410;
    private final ServiceClient client;
    private final String name;
    private long calls;
    private boolean closed;

    SimTrainerSession(ServiceClient client, String name) {
        this.client = client;
        this.name = name;
    }

    @Override
    public CompletableFuture<LossResult> forwardBackward(
            String effectId, List<Datum> data, LossSpec loss) {
        ObjectNode body = ServiceClient.request().put("effect", effectId);
        ArrayNode array = body.putArray("data");
        for (Datum datum : data) {
            ObjectNode each = array.addObject();
            each.set("tokens", JSON.valueToTree(datum.tokens()));
            each.set("advantages", JSON.valueToTree(datum.advantages()));
            each.set("logprobs", JSON.valueToTree(datum.behaviorLogprobs()));
        }
        return call("/forward_backward", body)
                .thenApply(answer -> new LossResult(0, answer.path("tokens").asLong(), 0, 0, 0));
    }

    @Override
    public CompletableFuture<OptimResult> optimStep(String effectId, AdamSpec adam) {
        return call("/optim_step", ServiceClient.request().put("effect", effectId))
                .thenApply(answer -> new OptimResult(answer.path("norm").asDouble(), false));
    }

    @Override
    public CompletableFuture<String> saveState(String stateName) {
        return call("/save", ServiceClient.request().put("name", stateName))
                .thenApply(answer -> answer.path("uri").asText());
    }

    @Override
    public CompletableFuture<String> publish(String weightsName) {
        return call("/publish", ServiceClient.request().put("name", weightsName))
                .thenApply(answer -> answer.path("uri").asText());
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            var unused = client.call("/close", ServiceClient.request().put("session", name));
        }
    }

    private synchronized CompletableFuture<JsonNode> call(String path, ObjectNode body) {
        if (closed) {
            return CompletableFuture.failedFuture(
                    new TrainerException("Session " + name + " is closed", null));
        }
        body.put("session", name).put("call", calls++);
        return client.call(path, body).exceptionally(SimTrainerSession::failed);
    }

    private static JsonNode failed(Throwable problem) {
        Throwable root = problem instanceof CompletionException ? problem.getCause() : problem;
        if (root instanceof InjectedTaskException injected) {
            throw injected;
        }
        TrainerException.Kind kind =
                root instanceof ServiceFailure failure && failure.status() == GONE
                        ? TrainerException.Kind.SESSION_LOST
                        : TrainerException.Kind.FAILED;
        throw new TrainerException(kind, String.valueOf(root.getMessage()), root);
    }
}
