package dev.millrace.operators.topic;

/** Bytes of a topic that are no record of the expected type, or a record that can't be written. */
public final class WireException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WireException(String message, Throwable cause) {
        super(message, cause);
    }
}
