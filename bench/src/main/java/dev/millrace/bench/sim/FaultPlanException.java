package dev.millrace.bench.sim;

/** A line of a fault plan can't be read. */
public final class FaultPlanException extends Exception {
    private static final long serialVersionUID = 1L;

    FaultPlanException(String message) {
        super(message);
    }
}
