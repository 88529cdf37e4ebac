package dev.millrace.udfs.model;

/**
 * A line of the topic {@code progress}: what became of a group after it was closed.
 *
 * @param runId the run
 * @param kind what happened
 * @param source who says so: {@code learn}, {@code ledger} or {@code gate}
 * @param epoch of the trainer session, 0 from the ledger
 * @param groupId the group, empty for DRAINED and ACCOUNTS
 * @param groupIndex its index, -1 for DRAINED and ACCOUNTS
 * @param step of TAKEN: the step that trains it, counted from 0: version step + 1 holds it; of
 *     ACCOUNTS: steps in the version that it is about
 * @param cause short stable name of why it was dropped, else empty
 * @param accounts set for ACCOUNTS
 */
public record ProgressRecord(
        String runId,
        Kind kind,
        String source,
        long epoch,
        String groupId,
        long groupIndex,
        long step,
        String cause,
        StepAccounts accounts) {

    /** What became of one group, or of a source. */
    public ProgressRecord(
            String runId,
            Kind kind,
            String source,
            long epoch,
            String groupId,
            long groupIndex,
            long step,
            String cause) {
        this(runId, kind, source, epoch, groupId, groupIndex, step, cause, null);
    }

    /** What became of all groups by the time that a version's last step closed. */
    public static ProgressRecord of(String runId, PolicyVersion version, StepAccounts accounts) {
        return new ProgressRecord(
                runId,
                Kind.ACCOUNTS,
                "gate",
                version.epoch(),
                "",
                -1,
                version.step(),
                "",
                accounts);
    }

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
        DRAINED,
        /** A step has closed; this is the balance of all groups. */
        ACCOUNTS
    }
}
