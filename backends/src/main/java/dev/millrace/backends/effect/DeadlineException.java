package dev.millrace.backends.effect;

/** A call was not answered in time. */
public final class DeadlineException extends Exception {
    private static final long serialVersionUID = 1L;

    DeadlineException(String what, long millis) {
        super(what + " was not answered within " + millis + " ms");
    }
}
