package dev.millrace.udfs.model;

/**
 * A line of the topic {@code progress}: what became of a group after it was closed.
 *
 * @param runId the run
 * @param kind what happened
 * @param source who says so: {@code learn} or {@code ledger}
 * @param epoch of the trainer session, 0 from the ledger
 * @param groupId the group, empty for DRAINED
 * @param groupIndex its index, -1 for DRAINED
 * @param step of TAKEN: the step that trains it, counted from 0: version step + 1 holds it
 * @param cause short stable name of why it was dropped, else empty
 */
public record ProgressRecord(
        String runId,
        Kind kind,
        String source,
        long epoch,
        String groupId,
        long groupIndex,
        long step,
        String cause) {

    /** What happened. */
    public enum Kind {
        /** A minibatch took it. */
        TAKEN,
        /**
         * It was dropped after it was closed, for a named cause such as {@code stale} or {@code
         * surplus}.
         */
        DROPPED,
        /** The source has passed the mark behind the last group. */
        DRAINED
    }
}
