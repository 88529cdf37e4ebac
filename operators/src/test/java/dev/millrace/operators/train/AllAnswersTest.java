package dev.millrace.operators.train;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class AllAnswersTest {
    private final CompletableFuture<String> gradient = new CompletableFuture<>();
    private final CompletableFuture<String> update = new CompletableFuture<>();

    @Test
    void failsAtTheFirstFailureThoughWhatIsBehindItIsNeverAnswered() {
        CompletableFuture<Void> all = AllAnswers.of(gradient, update);
        gradient.completeExceptionally(new IllegalStateException("refused"));
        assertThat(all).isCompletedExceptionally();
        assertThat(
                        new SubmittedMinibatch(null, null, 1, gradient, new CompletableFuture<>())
                                .done())
                .isCompletedExceptionally();
    }

    @Test
    void completesWithTheLastAnswer() {
        CompletableFuture<Void> all = AllAnswers.of(gradient, update);
        update.complete("step");
        assertThat(all).isNotDone();
        gradient.complete("loss");
        assertThat(all).isCompleted();
    }
}
