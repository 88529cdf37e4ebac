package dev.millrace.bench.soak;

/** A soaked run doesn't go on. */
final class StuckException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StuckException(String message) {
        super(message);
    }
}
