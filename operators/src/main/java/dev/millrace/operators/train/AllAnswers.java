package dev.millrace.operators.train;

import java.util.concurrent.CompletableFuture;

/** Waits for several answers. */
final class AllAnswers {
    private AllAnswers() {}

    /**
     * Completes with the last of the answers, or fails with the first failure among them: a session
     * that refuses one call may never answer those behind it.
     */
    static CompletableFuture<Void> of(CompletableFuture<?>... answers) {
        CompletableFuture<Void> all = CompletableFuture.allOf(answers);
        for (CompletableFuture<?> answer : answers) {
            var unused =
                    answer.whenComplete(
                            (value, failure) -> {
                                if (failure != null) {
                                    all.completeExceptionally(failure);
                                }
                            });
        }
        return all;
    }
}
