package dev.millrace.backends.tinker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.backends.port.AdamSpec;
import dev.millrace.backends.port.LossSpec;
import dev.millrace.backends.tinker.OrderedCalls.Taken;
import dev.millrace.backends.tinker.TinkerException.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * One adapter on a server. Its calls are numbered from 1 and submitted in order; nothing waits for
 * results. One object must be the model's only caller.
 */
final class TinkerModel {
    /** An update that moves nothing and uses up what has gathered. */
    static final AdamSpec STILL = new AdamSpec(0, 0.9, 0.95, 1e-8, 0, 0);

    private final TinkerClient client;
    private final String id;
    private final AtomicLong next;
    private final OrderedCalls calls = new OrderedCalls();
    private final CheckpointCalls checkpoints;
    private final ForwardBackwardCalls forwardBackward;
    private volatile boolean gathered;

    /**
     * @param next number of the next call: 1 for a new model, else as {@link #nextNumber} said
     */
    TinkerModel(TinkerClient client, String id, long next) {
        this.client = client;
        this.id = id;
        this.next = new AtomicLong(next);
        this.checkpoints = new CheckpointCalls(client, id);
        this.forwardBackward = new ForwardBackwardCalls(client, id);
    }

    String id() {
        return id;
    }

    /** Number of the next call: with the model's id, all that another caller needs to go on. */
    long nextNumber() {
        return next.get();
    }

    /** Adds gradients; gives the log-probabilities of each datum's targets. */
    CompletableFuture<List<float[]>> forwardBackward(List<LossDatum> data, LossSpec loss) {
        gathered = true;
        return calls.call(
                () -> {
                    CompletableFuture<List<CompletableFuture<List<float[]>>>> all =
                            CompletableFuture.completedFuture(new ArrayList<>());
                    for (List<LossDatum> chunk : Chunks.of(data)) {
                        all =
                                all.thenCompose(
                                        results ->
                                                forwardBackward
                                                        .submit(next.getAndIncrement(), chunk, loss)
                                                        .thenApply(
                                                                taken -> {
                                                                    results.add(taken.result());
                                                                    return results;
                                                                }));
                    }
                    return all.thenApply(results -> new Taken<>(joined(results)));
                });
    }

    /**
     * Whether the server takes a call that comes twice under one number for one call. Adds the
     * gradient, perhaps twice.
     */
    CompletableFuture<Boolean> sentTwice(List<LossDatum> data, LossSpec loss) {
        gathered = true;
        long number = next.getAndIncrement();
        return forwardBackward
                .queued(number, data, loss)
                .thenCombine(
                        forwardBackward.queued(number, data, loss),
                        (one, other) -> one.requestId().equals(other.requestId()));
    }

    private static CompletableFuture<List<float[]>> joined(
            List<CompletableFuture<List<float[]>>> chunks) {
        return CompletableFuture.allOf(chunks.toArray(CompletableFuture<?>[]::new))
                .thenApply(
                        done -> chunks.stream().flatMap(chunk -> chunk.join().stream()).toList());
    }

    /** One update; gives the server's measurements. */
    CompletableFuture<JsonNode> optimStep(AdamSpec adam) {
        gathered = false;
        return calls.call(() -> update(adam)).thenApply(answer -> answer.json().path("metrics"));
    }

    private CompletableFuture<Taken<HttpAnswer>> update(AdamSpec adam) {
        ObjectNode body = TinkerClient.object();
        ObjectNode parameters = body.putObject("adam_params");
        parameters.put("learning_rate", adam.learningRate());
        parameters.put("beta1", adam.beta1());
        parameters.put("beta2", adam.beta2());
        parameters.put("eps", adam.epsilon());
        parameters.put("weight_decay", adam.weightDecay());
        parameters.put("grad_clip_norm", adam.maxGradientNorm());
        return submitted("optim_step", "OptimStep", body, repeatable(client.settings()));
    }

    /** Starts from a saved state; only the first call of a model may do so. */
    CompletableFuture<Void> load(String path) {
        ObjectNode body = TinkerClient.object();
        body.put("path", path);
        body.put("optimizer", true);
        return calls.call(() -> submitted("load_weights", "LoadWeights", body, Repeats.ONCE))
                .thenApply(answer -> null);
    }

    /** Saves the weights with the optimiser's state. */
    CompletableFuture<String> save(String name) {
        return calls.call(
                () -> checkpoints.submit(Checkpoint.TRAINING, name, next.getAndIncrement()));
    }

    /** Saves the weights for samplers. */
    CompletableFuture<String> publish(String name) {
        return calls.call(
                () -> checkpoints.submit(Checkpoint.SAMPLER, name, next.getAndIncrement()));
    }

    /** Whether the model still answers; changes nothing. Asked in protobuf, for want of JSON. */
    CompletableFuture<?> alive() {
        return calls.call(() -> forwardBackward.forward(next.getAndIncrement()));
    }

    /**
     * Gives the adapter's slot back. A gradient that waits for its update is used up first: some
     * servers leave it to the slot's next model.
     */
    CompletableFuture<Void> unload() {
        if (!gathered) {
            return client.unload(id);
        }
        return calls.call(
                        () ->
                                update(STILL)
                                        .handle((done, failed) -> new Taken<>(client.unload(id))))
                .exceptionallyCompose(failed -> client.unload(id));
    }

    private CompletableFuture<Taken<HttpAnswer>> submitted(
            String path, String type, ObjectNode body, Predicate<TinkerException> again) {
        body.put("model_id", id);
        body.put("seq_id", next.getAndIncrement());
        body.put("type", path);
        return client.queued(path, type, body, again)
                .thenApply(queued -> new Taken<>(client.answer(queued)))
                .exceptionallyCompose(TinkerModel::unsure);
    }

    /** A training call whose answer is lost is made again only where its number protects it. */
    static Predicate<TinkerException> repeatable(TinkerSettings settings) {
        return settings.traits().repeatsSafely() ? Repeats.SAFE : Repeats.ONCE;
    }

    static <T> CompletableFuture<T> unsure(Throwable thrown) {
        TinkerException failure = TinkerException.of(thrown);
        return CompletableFuture.failedFuture(
                failure.outcomeUnknown()
                        ? new TinkerException(
                                Kind.RESULT_LOST,
                                "whether it was carried out is not known: " + failure.getMessage(),
                                0,
                                failure)
                        : failure);
    }
}
