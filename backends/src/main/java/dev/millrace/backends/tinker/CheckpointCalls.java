package dev.millrace.backends.tinker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.backends.tinker.OrderedCalls.Taken;
import dev.millrace.backends.tinker.TinkerException.Kind;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Saves and publications of a model. A name is used once; when an answer is lost the call is made
 * again, and a server that then says the name is taken is asked where the checkpoint lies.
 */
final class CheckpointCalls {
    private static final int MOST_TRIES = 4;

    private final TinkerClient client;
    private final String modelId;

    CheckpointCalls(TinkerClient client, String modelId) {
        this.client = client;
        this.modelId = modelId;
    }

    CompletableFuture<Taken<String>> submit(Checkpoint kind, String name, long sequence) {
        ObjectNode body = TinkerClient.object();
        body.put("model_id", modelId);
        body.put("path", name);
        body.put("seq_id", sequence);
        body.put("type", kind.path());
        if (kind == Checkpoint.TRAINING) {
            body.put("overwrite", false);
        }
        return submit(kind, name, body, 1);
    }

    private CompletableFuture<Taken<String>> submit(
            Checkpoint kind, String name, ObjectNode body, int tries) {
        return client.queued(kind.path(), kind.type(), body, Repeats.ONCE)
                .thenApply(queued -> new Taken<>(path(kind, name, queued)))
                .exceptionallyCompose(
                        thrown -> {
                            TinkerException failure = TinkerException.of(thrown);
                            if (failure.outcomeUnknown() && tries < MOST_TRIES) {
                                return submit(kind, name, body, tries + 1);
                            }
                            if (failure.kind() != Kind.CONFLICT) {
                                return TinkerModel.unsure(failure);
                            }
                            // A name that was taken before harms nothing that follows.
                            return CompletableFuture.completedFuture(
                                    new Taken<>(
                                            tries == 1
                                                    ? CompletableFuture.failedFuture(failure)
                                                    : find(kind, name, failure)));
                        });
    }

    private CompletableFuture<String> path(Checkpoint kind, String name, Queued queued) {
        return client.answer(queued)
                .thenApply(answer -> answer.json().path("path").asText(""))
                .exceptionallyCompose(
                        thrown -> {
                            TinkerException failure = TinkerException.of(thrown);
                            return failure.kind() == Kind.RESULT_LOST
                                    ? find(kind, name, failure)
                                    : CompletableFuture.failedFuture(failure);
                        })
                .thenApply(CheckpointCalls::given);
    }

    /** Servers list a checkpoint once it is complete. */
    private CompletableFuture<String> find(Checkpoint kind, String name, TinkerException why) {
        long patience = TimeUnit.MILLISECONDS.toNanos(client.settings().times().retry());
        CompletableFuture<String> found = new CompletableFuture<>();
        look(kind, name, why, found, System.nanoTime() + patience);
        return found;
    }

    private void look(
            Checkpoint kind,
            String name,
            TinkerException why,
            CompletableFuture<String> found,
            long end) {
        var unused =
                client.checkpoints(modelId)
                        .whenComplete(
                                (list, thrown) -> {
                                    Optional<String> path =
                                            thrown == null
                                                    ? listed(list, kind, name)
                                                    : Optional.empty();
                                    if (path.isPresent()) {
                                        found.complete(path.get());
                                    } else if (System.nanoTime() > end) {
                                        found.completeExceptionally(why);
                                    } else {
                                        client.timer()
                                                .after(
                                                        client.settings().times().backoff(),
                                                        () -> look(kind, name, why, found, end),
                                                        () -> found.completeExceptionally(why));
                                    }
                                });
    }

    private static Optional<String> listed(JsonNode list, Checkpoint kind, String name) {
        for (JsonNode checkpoint : list.path("checkpoints")) {
            String path = checkpoint.path("tinker_path").asText();
            if (checkpoint.path("checkpoint_type").asText().equals(kind.listed())
                    && path.endsWith("/" + name)) {
                return Optional.of(path);
            }
        }
        return Optional.empty();
    }

    private static String given(String path) {
        if (path.isEmpty()) {
            throw new TinkerException(Kind.OPERATION, "The server gave no path for what it saved.");
        }
        return path;
    }
}
