package dev.millrace.backends.port;

/** A policy could not be sampled from. */
public final class SamplerException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String failureCause;
    private final boolean away;
    private final long retryAfterMillis;

    /**
     * Asking the same again would fail the same way.
     *
     * @param failureCause short stable name, for instance {@code version_gone}
     * @param message for a person
     */
    public SamplerException(String failureCause, String message) {
        super(message);
        this.failureCause = failureCause;
        this.away = false;
        this.retryAfterMillis = 0;
    }

    private SamplerException(String failureCause, String message, long retryAfterMillis) {
        super(message);
        this.failureCause = failureCause;
        this.away = true;
        this.retryAfterMillis = retryAfterMillis;
    }

    /**
     * The server is away or busy, and the same request may succeed later.
     *
     * @param retryAfterMillis how long nobody should ask, as the server said; 0 when it didn't
     */
    public static SamplerException away(
            String failureCause, String message, long retryAfterMillis) {
        return new SamplerException(failureCause, message, retryAfterMillis);
    }

    /** The server refuses the request itself, for instance for lack of rights. */
    public static SamplerException refused(String message) {
        return new SamplerException("refused", message);
    }

    /** Whether the same request may succeed later. */
    public boolean isAway() {
        return away;
    }

    /** How long nobody should ask again; 0 when the server said nothing. */
    public long retryAfterMillis() {
        return retryAfterMillis;
    }

    /** Short stable name. */
    public String failureCause() {
        return failureCause;
    }
}
