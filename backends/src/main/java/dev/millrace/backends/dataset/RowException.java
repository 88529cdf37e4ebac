package dev.millrace.backends.dataset;

/** A row can't be understood; the message says why. */
public final class RowException extends Exception {
    private static final long serialVersionUID = 1L;

    /** For that reason. */
    public RowException(String reason) {
        super(reason);
    }
}
