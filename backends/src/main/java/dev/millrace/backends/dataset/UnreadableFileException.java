package dev.millrace.backends.dataset;

import java.io.IOException;

/** A file of rows is not of its format, or damaged; the message is for the person who gave it. */
public final class UnreadableFileException extends IOException {
    private static final long serialVersionUID = 1L;

    UnreadableFileException(String message, Throwable cause) {
        super(message, cause);
    }
}
