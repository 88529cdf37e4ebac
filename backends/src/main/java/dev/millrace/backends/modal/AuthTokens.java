package dev.millrace.backends.modal;

import dev.millrace.backends.port.SandboxException;
import io.grpc.Status;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The short-lived token of the control plane. It is exchanged when something is asked after half of
 * its life, by one caller at a time; as long as it holds, a failed exchange hurts nobody.
 */
final class AuthTokens {
    private static final Logger LOG = LoggerFactory.getLogger(AuthTokens.class);
    private static final long USUAL_LIFE_MILLIS = 20 * 60_000;
    private static final long FIRST_COOLDOWN_MILLIS = 500;
    private static final long MOST_COOLDOWN_MILLIS = 60_000;
    private static final double JITTER = 0.1;

    private final Exchange exchange;
    private final InstantSource clock;
    private final DoubleSupplier random;
    private final ReentrantLock exchanging = new ReentrantLock();
    private volatile Held held;
    private long notBefore;
    private long cooldown = FIRST_COOLDOWN_MILLIS;
    private SandboxException last;
    private boolean denied;

    /** Gets one from the server. */
    @FunctionalInterface
    interface Exchange {
        String fetch() throws SandboxException;
    }

    private record Held(String token, long refreshAt, long endsAt) {}

    /**
     * @param random between 0 and 1
     */
    AuthTokens(Exchange exchange, InstantSource clock, DoubleSupplier random) {
        this.exchange = exchange;
        this.clock = clock;
        this.random = random;
    }

    /** The one to use now. */
    String current() throws SandboxException {
        Held now = held;
        if (now != null && clock.millis() < now.refreshAt()) {
            return now.token();
        }
        if (!acquire(now)) {
            return now.token();
        }
        try {
            if (held != null && !held.equals(now)) {
                return held.token();
            }
            return exchanged(now);
        } finally {
            exchanging.unlock();
        }
    }

    private boolean holds(Held token) {
        return token != null && clock.millis() < token.endsAt();
    }

    /** False when another caller exchanges one that still holds. */
    private boolean acquire(Held now) throws SandboxException {
        if (holds(now)) {
            return exchanging.tryLock();
        }
        try {
            exchanging.lockInterruptibly();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ModalFailure.cancelled(e);
        }
    }

    private String exchanged(Held now) throws SandboxException {
        if (!denied && clock.millis() >= notBefore) {
            try {
                return keep(exchange.fetch());
            } catch (SandboxException e) {
                coolDown(e);
            }
        }
        if (!holds(now) || denied) {
            throw last;
        }
        return now.token();
    }

    private String keep(String token) {
        long start = clock.millis();
        long end = JsonWebToken.expiryMillis(token, start + USUAL_LIFE_MILLIS);
        double share = 0.5 + JITTER * random.getAsDouble();
        held = new Held(token, start + Math.round((end - start) * share), end);
        cooldown = FIRST_COOLDOWN_MILLIS;
        return token;
    }

    private void coolDown(SandboxException e) {
        last = e;
        Status.Code code = ModalFailure.code(e);
        denied = code == Status.Code.UNAUTHENTICATED || code == Status.Code.PERMISSION_DENIED;
        if (e.kind() != SandboxException.Kind.CANCELLED) {
            notBefore = clock.millis() + cooldown;
            cooldown = Math.min(MOST_COOLDOWN_MILLIS, 2 * cooldown);
            LOG.warn("Modal's token could not be exchanged next={} ms", cooldown, e);
        }
    }

    /** The server does not take it any more. */
    void refused() {
        held = null;
    }
}
