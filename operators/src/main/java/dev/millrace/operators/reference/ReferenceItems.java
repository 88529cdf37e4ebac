package dev.millrace.operators.reference;

import dev.millrace.backends.port.Sampler;
import dev.millrace.backends.port.SamplerException;
import dev.millrace.backends.port.TrajectoryStore;
import dev.millrace.backends.store.LogprobsCodec;
import dev.millrace.backends.store.TrajectoryCodec;
import dev.millrace.udfs.model.ContentRef;
import dev.millrace.udfs.model.MinibatchItem;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.Trajectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

/** Asks for the log-probabilities of one attempt and stores them. Never blocks the caller. */
final class ReferenceItems {
    private final PolicyRef reference;
    private final Sampler sampler;
    private final TrajectoryStore store;
    private final Executor io;

    ReferenceItems(PolicyRef reference, Sampler sampler, TrajectoryStore store, Executor io) {
        this.reference = reference;
        this.sampler = sampler;
        this.store = store;
        this.io = io;
    }

    /** Completes with a reason when the trajectory can't be read or the policy gives no answer. */
    CompletableFuture<ReferenceItem> ask(String runId, MinibatchItem item) {
        return CompletableFuture.supplyAsync(() -> read(item), io)
                .thenCompose(read -> sampler.computeLogprobs(reference, read.tokens()))
                .thenApplyAsync(logprobs -> ReferenceItem.of(item, put(item, logprobs)), io)
                .exceptionally(error -> missing(runId, item, error));
    }

    private Trajectory read(MinibatchItem item) {
        try {
            return TrajectoryCodec.decode(store.get(item.trajectory()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ContentRef put(MinibatchItem item, float[] logprobs) {
        try {
            byte[] bytes = LogprobsCodec.encode(logprobs);
            return store.put(item.attemptId() + "/reference", LogprobsCodec.SUFFIX, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ReferenceItem missing(String runId, MinibatchItem item, Throwable error) {
        Throwable cause = error instanceof CompletionException ? error.getCause() : error;
        if (cause instanceof SamplerException refused) {
            return ReferenceItem.missing(
                    runId, item, "reference_" + refused.failureCause(), refused.getMessage());
        }
        if (cause instanceof UncheckedIOException unreadable) {
            return ReferenceItem.missing(
                    runId, item, "trajectory_unreadable", unreadable.getMessage());
        }
        throw new CompletionException(cause);
    }
}
