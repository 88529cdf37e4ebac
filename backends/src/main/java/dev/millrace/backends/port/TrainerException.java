package dev.millrace.backends.port;

/** A trainer could not do what it was asked for. */
public final class TrainerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A failure, said for a person. */
    public TrainerException(String message, Throwable cause) {
        super(message, cause);
    }
}
