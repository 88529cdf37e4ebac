package dev.millrace.backends.render;

/** A tool call is not as asked for; the message tells the model what is wrong. */
final class MalformedCallException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedCallException(String message) {
        super(message);
    }

    MalformedCallException(String message, Throwable cause) {
        super(message, cause);
    }
}
