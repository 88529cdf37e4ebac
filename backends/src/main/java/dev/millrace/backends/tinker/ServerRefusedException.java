package dev.millrace.backends.tinker;

/** A server can't be used as it was asked for; the message says why and what to do about it. */
public final class ServerRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    ServerRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
