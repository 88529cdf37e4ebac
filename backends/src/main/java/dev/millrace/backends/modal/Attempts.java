package dev.millrace.backends.modal;

import dev.millrace.backends.port.SandboxException;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Locale;
import java.util.UUID;

/**
 * The attempts at one call. All of them carry the same key, so that a server that has carried out
 * one whose answer got lost does not do it twice. Not thread-safe.
 */
final class Attempts {
    private static final Metadata.Key<String> KEY = key("x-idempotency-key");
    private static final Metadata.Key<String> RETRIES = key("x-retry-attempt");
    private static final Metadata.Key<String> THROTTLED = key("x-throttle-retry-attempt");
    private static final Metadata.Key<String> DELAY = key("x-retry-delay");

    private final RetryPolicy policy;
    private final String idempotencyKey = UUID.randomUUID().toString();
    private final long start = System.nanoTime();
    private int retries;
    private int throttled;
    private long throttledMillis;
    private boolean refused;

    Attempts(RetryPolicy policy) {
        this.policy = policy;
    }

    private static Metadata.Key<String> key(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    /** Marks the next one. */
    void mark(Metadata headers) {
        headers.put(KEY, idempotencyKey);
        headers.put(RETRIES, Integer.toString(retries));
        headers.put(THROTTLED, Integer.toString(throttled));
        if (retries + throttled > 0) {
            double seconds = (System.nanoTime() - start) / 1e9;
            headers.put(DELAY, String.format(Locale.ROOT, "%.3f", seconds));
        }
    }

    /**
     * Waits until there should be another one.
     *
     * @param lasting whether the connection is closed on this side
     * @throws SandboxException when there should be none
     */
    void failed(String what, StatusRuntimeException e, CallHeaders headers, boolean lasting)
            throws SandboxException {
        if (Thread.currentThread().isInterrupted()) {
            throw ModalFailure.cancelled(e);
        }
        if (e.getStatus().getCode() == Status.Code.UNAUTHENTICATED && !refused) {
            refused = true;
            headers.refused();
            return;
        }
        long hint = RetryHint.millis(e);
        if (hint >= 0 && throttledMillis + hint <= policy.throttleMillis()) {
            throttled++;
            throttledMillis += hint;
            Pause.millis(hint);
            return;
        }
        boolean passes = hint < 0 && ModalFailure.passes(e.getStatus().getCode());
        if (lasting || !passes || retries >= policy.retries()) {
            throw hint >= 0 ? ModalFailure.throttled(what, e) : ModalFailure.of(what, e);
        }
        Pause.millis(policy.pauseMillis(retries));
        retries++;
    }
}
