package dev.millrace.backends.effect;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Makes a call again while the other side is away or busy, with growing pauses, for a bounded time.
 * No call starts after that time.
 */
public final class Retrier {
    private final Calls calls;
    private final Pace pace;
    private final EffectLimits limits;

    /**
     * @param pace shared by all who ask the same side
     */
    public Retrier(Calls calls, Pace pace, EffectLimits limits) {
        this.calls = calls;
        this.pace = pace;
        this.limits = limits;
    }

    /**
     * What to do about a failure.
     *
     * @param again whether another call may help
     * @param pauseMillis how long nobody should ask; 0 when the other side didn't say
     */
    public record Advice(boolean again, long pauseMillis) {
        /** Another call would fail as well. */
        public static final Advice STOP = new Advice(false, 0);

        /** The other side is away for a while. */
        public static final Advice AGAIN = new Advice(true, 0);
    }

    /**
     * Makes calls until one succeeds, one fails for good, or patience ends; then the last failure
     * stands.
     */
    public <T> CompletableFuture<T> call(
            Supplier<CompletableFuture<T>> call, Function<Throwable, Advice> advice) {
        return new Loop<>(call, advice).next(0);
    }

    /** The failure itself, out of what futures wrap around it. */
    public static Throwable root(Throwable failure) {
        Throwable root = failure;
        while (root instanceof CompletionException && root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    private final class Loop<T> {
        private final Supplier<CompletableFuture<T>> call;
        private final Function<Throwable, Advice> advice;
        private final long start = System.nanoTime();
        private int failures;

        Loop(Supplier<CompletableFuture<T>> call, Function<Throwable, Advice> advice) {
            this.call = call;
            this.advice = advice;
        }

        CompletableFuture<T> next(long pauseMillis) {
            return calls.after(pauseMillis)
                    .thenCompose(waited -> inTurn())
                    .thenCompose(turn -> call.get())
                    .handle(this::judge)
                    .thenCompose(Function.identity());
        }

        /** A pause that was asked for while this one waited counts for it too. */
        private CompletableFuture<Void> inTurn() {
            return calls.after(pace.reserve())
                    .thenCompose(
                            over ->
                                    pace.pausing()
                                            ? inTurn()
                                            : CompletableFuture.completedFuture(null));
        }

        private CompletableFuture<T> judge(T value, Throwable failure) {
            if (failure == null) {
                return CompletableFuture.completedFuture(value);
            }
            Throwable root = root(failure);
            Advice said = advice.apply(root);
            if (!said.again()) {
                return CompletableFuture.failedFuture(root);
            }
            failures++;
            if (said.pauseMillis() > 0) {
                pace.pause(said.pauseMillis());
            }
            double random = ThreadLocalRandom.current().nextDouble();
            long pause = said.pauseMillis() + Backoff.millis(limits.backoff(), failures, random);
            long spent = (System.nanoTime() - start) / 1_000_000;
            return spent + pause > limits.patience()
                    ? CompletableFuture.failedFuture(root)
                    : next(pause);
        }
    }
}
