package dev.millrace.backends.tinker;

import dev.millrace.backends.effect.Backoff;
import dev.millrace.backends.tinker.TinkerException.Kind;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Makes calls again that failed for a passing reason, with growing pauses, for a bounded time. */
final class Repeats {
    /** Any call that leaves no trace, or whose number the server knows again. */
    static final Predicate<TinkerException> SAFE = TinkerException::passing;

    /** A call that must not be carried out twice: only while it surely was not at all. */
    static final Predicate<TinkerException> ONCE =
            failure -> failure.kind() == Kind.BUSY || failure.kind() == Kind.UNREACHABLE;

    private final Timer timer;
    private final TinkerTimes times;

    Repeats(Timer timer, TinkerTimes times) {
        this.timer = timer;
        this.times = times;
    }

    <T> CompletableFuture<T> call(
            Supplier<CompletableFuture<T>> call, Predicate<TinkerException> again) {
        CompletableFuture<T> result = new CompletableFuture<>();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(times.retry());
        attempt(call, again, result, 0, end);
        return result;
    }

    private <T> void attempt(
            Supplier<CompletableFuture<T>> call,
            Predicate<TinkerException> again,
            CompletableFuture<T> result,
            int failures,
            long end) {
        if (result.isDone()) {
            return;
        }
        var unused =
                call.get()
                        .whenComplete(
                                (value, thrown) -> {
                                    if (thrown == null) {
                                        result.complete(value);
                                        return;
                                    }
                                    TinkerException failure = TinkerException.of(thrown);
                                    long pause = pause(failure, failures + 1);
                                    long resumes =
                                            System.nanoTime()
                                                    + TimeUnit.MILLISECONDS.toNanos(pause);
                                    if (!again.test(failure) || resumes > end) {
                                        result.completeExceptionally(failure);
                                        return;
                                    }
                                    timer.after(
                                            pause,
                                            () -> attempt(call, again, result, failures + 1, end),
                                            () -> result.completeExceptionally(failure));
                                });
    }

    private long pause(TinkerException failure, int failures) {
        double random = ThreadLocalRandom.current().nextDouble();
        return Math.max(
                failure.retryAfterMillis(), Backoff.millis(times.backoff(), failures, random));
    }
}
