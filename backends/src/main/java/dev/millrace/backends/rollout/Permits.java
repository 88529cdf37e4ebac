package dev.millrace.backends.rollout;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;

/**
 * A counted resource whose waiters are served in order of arrival, without a thread each.
 * Thread-safe.
 */
public final class Permits {
    private final Deque<CompletableFuture<Void>> waiting = new ArrayDeque<>();
    private int free;

    /** That many permits. */
    public Permits(int count) {
        free = count;
    }

    /** Completes once a permit is taken. A future that is cancelled before leaves the queue. */
    public CompletableFuture<Void> acquire() {
        CompletableFuture<Void> turn = new CompletableFuture<>();
        synchronized (this) {
            if (free == 0) {
                waiting.addLast(turn);
                return turn;
            }
            free--;
        }
        turn.complete(null);
        return turn;
    }

    /** Gives one back, to whoever waits longest. */
    public void release() {
        while (true) {
            CompletableFuture<Void> next;
            synchronized (this) {
                next = waiting.pollFirst();
                if (next == null) {
                    free++;
                    return;
                }
            }
            if (next.complete(null)) {
                return;
            }
        }
    }
}
