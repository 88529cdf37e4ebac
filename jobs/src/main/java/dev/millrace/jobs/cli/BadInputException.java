package dev.millrace.jobs.cli;

import java.util.List;

/** What was asked for is refused; the message is for the person who asked. */
public final class BadInputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A refusal. */
    public BadInputException(String message) {
        super(message);
    }

    /** Several refusals of one thing. */
    public BadInputException(String what, List<String> refusals) {
        super(what + "\n  " + String.join("\n  ", refusals));
    }
}
