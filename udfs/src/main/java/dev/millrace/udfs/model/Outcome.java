package dev.millrace.udfs.model;

/** Why an attempt ended. */
public enum Outcome {
    /** The policy said it is done. */
    SUBMITTED,
    /** All turns were used. */
    TURN_LIMIT,
    /** The next turn would not fit into the context. */
    CONTEXT_LIMIT,
    /** The running-time budget was used up. */
    TIME_LIMIT,
    /** Too many turns in a row could not be parsed. */
    FORMAT_ERRORS,
    /** The policy ended its own sandbox. */
    SANDBOX_KILLED,
    /** Infrastructure failed more often than the attempt may be tried. */
    LOST,
    /** The run ended, or the group was closed, before the attempt did. */
    CANCELLED
}
