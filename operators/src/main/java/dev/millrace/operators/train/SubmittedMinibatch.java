package dev.millrace.operators.train;

import dev.millrace.udfs.minibatch.LearnInput;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * A minibatch that was given to the session, or a publication that needs none.
 *
 * @param input the minibatch, or null
 * @param trained what it measured, or null
 * @param version steps in the weights after it
 * @param saved where the state is saved after it, or null
 * @param published where its version lies, or null
 */
record SubmittedMinibatch(
        LearnInput input,
        CompletableFuture<TrainedMinibatch> trained,
        long version,
        CompletableFuture<String> saved,
        CompletableFuture<String> published) {
    /** Whether it is trained, though it may not be stored yet. */
    boolean isTrained() {
        return trained == null || trained.isDone();
    }

    /** Names it in what is said of the trainer. */
    String label() {
        return input == null ? "publish " + version : input.minibatch().minibatchId();
    }

    /** Whether all its answers are there and none is a failure. */
    boolean succeeded() {
        CompletableFuture<Void> done = done();
        return done.isDone() && !done.isCompletedExceptionally();
    }

    /** Completes with the last of its answers, or fails with the first failure. */
    CompletableFuture<Void> done() {
        CompletableFuture<?>[] parts =
                Stream.of(trained, saved, published)
                        .filter(Objects::nonNull)
                        .toArray(CompletableFuture<?>[]::new);
        return AllAnswers.of(parts);
    }
}
