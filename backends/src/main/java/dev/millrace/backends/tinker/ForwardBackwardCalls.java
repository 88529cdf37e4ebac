package dev.millrace.backends.tinker;

import dev.millrace.backends.port.LossSpec;
import dev.millrace.backends.tinker.OrderedCalls.Taken;
import dev.millrace.backends.tinker.TinkerException.Kind;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Submits what gathers gradients: as JSON, and as protobuf to a server that takes no JSON. */
final class ForwardBackwardCalls {
    private static final String PATH = "forward_backward";
    private static final String TYPE = "ForwardBackward";

    private final TinkerClient client;
    private final String modelId;
    private volatile boolean protobuf;

    ForwardBackwardCalls(TinkerClient client, String modelId) {
        this.client = client;
        this.modelId = modelId;
    }

    CompletableFuture<Taken<List<float[]>>> submit(
            long sequence, List<LossDatum> data, LossSpec loss) {
        return queued(sequence, data, loss)
                .thenApply(
                        operation ->
                                new Taken<>(
                                        client.answer(operation)
                                                .thenApply(ForwardBackwardCalls::logprobs)));
    }

    /**
     * Asks for the log-probability of one token, without a gradient. Calls that follow do not
     * depend on it.
     */
    CompletableFuture<Taken<HttpAnswer>> forward(long sequence) {
        LossDatum one =
                new LossDatum(new int[1], new int[1], new float[1], new float[1], new float[1]);
        byte[] body = ForwardBackwardProto.forward(modelId, sequence, one);
        return client.queued(PATH, "Forward", HttpCall.PROTOBUF, body, Repeats.SAFE)
                .thenApply(queued -> new Taken<>(client.answer(queued)))
                .exceptionally(refused -> new Taken<>(CompletableFuture.failedFuture(refused)));
    }

    /** Queues the call; what it gives is asked for by the id. */
    CompletableFuture<Queued> queued(long sequence, List<LossDatum> data, LossSpec loss) {
        return queued(sequence, data, loss, protobuf)
                .exceptionallyCompose(
                        thrown -> {
                            TinkerException failure = TinkerException.of(thrown);
                            if (protobuf || !wantsProtobuf(failure)) {
                                return TinkerModel.unsure(failure);
                            }
                            protobuf = true;
                            return queued(sequence, data, loss, true);
                        });
    }

    private CompletableFuture<Queued> queued(
            long sequence, List<LossDatum> data, LossSpec loss, boolean asProtobuf) {
        return asProtobuf
                ? client.queued(
                        PATH,
                        TYPE,
                        HttpCall.PROTOBUF,
                        ForwardBackwardProto.request(modelId, sequence, data, loss),
                        TinkerModel.repeatable(client.settings()))
                : client.queued(
                        PATH,
                        TYPE,
                        HttpCall.JSON,
                        ForwardBackwardJson.request(modelId, sequence, data, loss),
                        TinkerModel.repeatable(client.settings()));
    }

    private static boolean wantsProtobuf(TinkerException failure) {
        String said = failure.getMessage();
        return failure.kind() == Kind.INVALID
                && (said.contains("HTTP 415")
                        || (said.contains("HTTP 422") && said.contains("proto")));
    }

    private static List<float[]> logprobs(HttpAnswer answer) {
        return answer.isProtobuf()
                ? ForwardBackwardProto.logprobs(answer.body())
                : ForwardBackwardJson.logprobs(answer.json());
    }
}
