package dev.millrace.bench.sim.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.backends.port.Completion;
import dev.millrace.backends.port.SampleRequest;
import dev.millrace.backends.port.Sampler;
import dev.millrace.backends.port.SamplerException;
import dev.millrace.bench.sim.SimTokens;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Samples from the model service. */
public final class SimSampler implements Sampler {
    private static final int TOO_MANY = 429;
    private final ServiceClient client;
    private final TaskFault fault;

    /**
     * @param fault told when the service wants the task to fail
     */
    SimSampler(ServiceClient client, TaskFault fault) {
        this.client = client;
        this.fault = fault;
    }

    @Override
    public CompletableFuture<Completion> sample(SampleRequest request) {
        String effect = request.effectId();
        int turn = Integer.parseInt(effect.substring(effect.lastIndexOf('.') + 1));
        ObjectNode body =
                of(request.policy(), request.prompt())
                        .put("effect", effect)
                        .put("turn", turn)
                        .put("max", request.maxTokens())
                        .put("promptDigest", Integer.toHexString(Arrays.hashCode(request.prompt())))
                        .put("attempt", SimTokens.attempt(request.prompt()).orElse(request.seed()));
        return answered(client.call("/sample", body)).thenApply(SimSampler::completion);
    }

    @Override
    public CompletableFuture<float[]> computeLogprobs(PolicyRef policy, int[] tokens) {
        ObjectNode body = of(policy, tokens).put("tokens", tokens.length);
        body.put("attempt", SimTokens.attempt(tokens).orElse(0));
        return answered(client.call("/logprobs", body))
                .thenApply(answer -> floats(answer.path("logprobs")));
    }

    @Override
    public void close() {
        // Connections belong to the process.
    }

    private static ObjectNode of(PolicyRef policy, int[] tokens) {
        return ServiceClient.request()
                .put("task", SimTokens.task(tokens))
                .put("version", policy.version().epoch() + "." + policy.version().step())
                .put("uri", policy.uri());
    }

    private CompletableFuture<JsonNode> answered(CompletableFuture<JsonNode> call) {
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        var unused =
                call.whenComplete(
                        (body, problem) -> {
                            Throwable root =
                                    problem instanceof CompletionException
                                            ? problem.getCause()
                                            : problem;
                            if (root == null) {
                                answer.complete(body);
                            } else if (root instanceof InjectedTaskException) {
                                // The task is about to fail: nothing more is heard of this call.
                                fault.arm();
                            } else {
                                answer.completeExceptionally(failure(root));
                            }
                        });
        return answer;
    }

    private static SamplerException failure(Throwable root) {
        boolean refused =
                root instanceof ServiceFailure known
                        && known.status() >= 400
                        && known.status() < 500
                        && known.status() != TOO_MANY;
        return refused
                ? SamplerException.refused(root.getMessage())
                : SamplerException.away("away", String.valueOf(root.getMessage()), 0);
    }

    private static Completion completion(JsonNode answer) {
        JsonNode tokens = answer.path("tokens");
        int[] ids = new int[tokens.size()];
        Arrays.setAll(ids, i -> tokens.get(i).asInt());
        List<String> version = List.of(answer.path("version").asText().split("\\.", -1));
        PolicyVersion served =
                new PolicyVersion(Long.parseLong(version.get(0)), Long.parseLong(version.get(1)));
        return new Completion(
                ids, floats(answer.path("logprobs")), served, answer.path("stopped").asBoolean());
    }

    /** Numbers; what is none becomes NaN. */
    private static float[] floats(JsonNode array) {
        float[] values = new float[array.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = array.get(i).isNumber() ? array.get(i).floatValue() : Float.NaN;
        }
        return values;
    }
}
