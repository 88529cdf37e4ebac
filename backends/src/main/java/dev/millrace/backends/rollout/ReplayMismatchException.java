package dev.millrace.backends.rollout;

/** A rebuilt sandbox did not answer as the lost one had. */
final class ReplayMismatchException extends Exception {
    private static final long serialVersionUID = 1L;

    ReplayMismatchException(String message) {
        super(message);
    }
}
