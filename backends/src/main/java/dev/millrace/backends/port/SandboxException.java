package dev.millrace.backends.port;

/** A sandbox could not do what it was asked for. */
public final class SandboxException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What went wrong. */
    public enum Kind {
        /** It could not be created. */
        CREATE_FAILED,
        /** Its image is not to be had. */
        IMAGE,
        /** A limit of the provider or of the request is exceeded. */
        QUOTA,
        /** It is gone. */
        DIED,
        /** The provider doesn't answer. */
        UNREACHABLE,
        /** This host or provider can't do it; the message says the remedy. */
        UNSUPPORTED,
        /** The caller cancelled. */
        CANCELLED,
        /**
         * The provider is asked too often; {@link #retryAfterMillis} may say when to come again.
         */
        RATE_LIMITED,
        /** A newer owner has the lease. */
        FENCED
    }

    private final Kind kind;
    private final boolean policyCaused;
    private final long retryAfterMillis;

    /** A failure that the policy can't have caused. */
    public SandboxException(Kind kind, String message) {
        this(kind, false, message, null);
    }

    /** A failure with everything said. */
    public SandboxException(Kind kind, boolean policyCaused, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.policyCaused = policyCaused;
        this.retryAfterMillis = 0;
    }

    /**
     * The provider is asked too often.
     *
     * @param retryAfterMillis how long nobody should ask, as the provider said; 0 when it didn't
     */
    public SandboxException(String message, long retryAfterMillis) {
        super(message);
        this.kind = Kind.RATE_LIMITED;
        this.policyCaused = false;
        this.retryAfterMillis = retryAfterMillis;
    }

    /** What went wrong. */
    public Kind kind() {
        return kind;
    }

    /** Whether the code inside the sandbox brought it about. */
    public boolean policyCaused() {
        return policyCaused;
    }

    /** How long nobody should ask again, as the provider said; 0 when it said nothing. */
    public long retryAfterMillis() {
        return retryAfterMillis;
    }
}
