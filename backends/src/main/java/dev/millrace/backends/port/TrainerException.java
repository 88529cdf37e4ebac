package dev.millrace.backends.port;

/** A trainer could not do what it was asked for. */
public final class TrainerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What went wrong. */
    public enum Kind {
        /** The session is gone; another one can go on from a saved state. */
        SESSION_LOST,
        /** A call is not answered in time; whether it was carried out is not known. */
        TIMED_OUT,
        /** It was refused or went wrong; asking again would end the same. */
        FAILED
    }

    private final Kind kind;

    /** A failure of kind FAILED, said for a person. */
    public TrainerException(String message, Throwable cause) {
        this(Kind.FAILED, message, cause);
    }

    /** A failure, said for a person. */
    public TrainerException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** What went wrong. */
    public Kind kind() {
        return kind;
    }

    /** Whether a new session may go on where this one ended. */
    public boolean endsTheSession() {
        return kind != Kind.FAILED;
    }
}
