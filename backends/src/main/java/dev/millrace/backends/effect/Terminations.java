package dev.millrace.backends.effect;

import dev.millrace.backends.port.Sandbox;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes sandboxes beside everything else. Removing one has its own deadline and is tried again
 * alone; nothing that was done in the sandbox is done again because of it.
 */
public final class Terminations {
    private static final Logger LOG = LoggerFactory.getLogger(Terminations.class);

    private final Calls calls;
    private final EffectLimits limits;
    private final Set<Sandbox> open = ConcurrentHashMap.newKeySet();
    private volatile CompletableFuture<Void> settled;
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong abandoned = new AtomicLong();

    /** Uses threads of the calls. */
    public Terminations(Calls calls, EffectLimits limits) {
        this.calls = calls;
        this.limits = limits;
    }

    /** Removes a sandbox. Completes when it is gone or the first try was not answered in time. */
    public CompletableFuture<Void> end(Sandbox sandbox) {
        open.add(sandbox);
        CompletableFuture<Void> first = new CompletableFuture<>();
        attempt(sandbox, 1, first);
        return first;
    }

    private void attempt(Sandbox sandbox, int number, CompletableFuture<Void> first) {
        calls.run(
                        "removing sandbox " + sandbox.leaseName(),
                        limits.terminate(),
                        () -> {
                            sandbox.terminate();
                            return true;
                        })
                .whenComplete(
                        (done, failure) -> {
                            first.complete(null);
                            if (failure == null) {
                                over(sandbox);
                            } else {
                                again(sandbox, number, Retrier.root(failure));
                            }
                        });
    }

    private void again(Sandbox sandbox, int number, Throwable why) {
        failed.incrementAndGet();
        LOG.warn(
                "A sandbox could not be removed lease={} try={} cause={}",
                sandbox.leaseName(),
                number,
                why.getMessage());
        double random = ThreadLocalRandom.current().nextDouble();
        long pause = Backoff.millis(limits.backoff(), number, random);
        if (number < limits.terminateTries()) {
            calls.after(pause)
                    .whenComplete(
                            (waited, closed) -> {
                                if (closed == null) {
                                    attempt(sandbox, number + 1, new CompletableFuture<>());
                                } else {
                                    abandon(sandbox);
                                }
                            });
        } else {
            abandon(sandbox);
        }
    }

    /** Completes once nothing is being removed; to be asked once, when nothing more will be. */
    public CompletableFuture<Void> settled() {
        CompletableFuture<Void> waiting = new CompletableFuture<>();
        settled = waiting;
        if (open.isEmpty()) {
            waiting.complete(null);
        }
        return waiting;
    }

    private void over(Sandbox sandbox) {
        open.remove(sandbox);
        CompletableFuture<Void> waiting = settled;
        if (waiting != null && open.isEmpty()) {
            waiting.complete(null);
        }
    }

    private void abandon(Sandbox sandbox) {
        over(sandbox);
        abandoned.incrementAndGet();
        LOG.warn("A sandbox is left to its time to live lease={}", sandbox.leaseName());
    }

    /** Sandboxes that are being removed. */
    public long open() {
        return open.size();
    }

    /** Tries that failed or were not answered. */
    public long failed() {
        return failed.get();
    }

    /** Sandboxes that are left to their time to live. */
    public long abandoned() {
        return abandoned.get();
    }
}
