package dev.millrace.backends.port;

/** A policy could not be sampled from. */
public final class SamplerException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String failureCause;

    /**
     * @param failureCause short stable name, for instance {@code version_gone}
     * @param message for a person
     */
    public SamplerException(String failureCause, String message) {
        super(message);
        this.failureCause = failureCause;
    }

    /** Short stable name. */
    public String failureCause() {
        return failureCause;
    }
}
