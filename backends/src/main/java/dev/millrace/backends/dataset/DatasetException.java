package dev.millrace.backends.dataset;

/** What was asked of a dataset can't be done; the message is for the person who asked. */
public final class DatasetException extends Exception {
    private static final long serialVersionUID = 1L;

    /** For that reason. */
    public DatasetException(String message) {
        super(message);
    }
}
