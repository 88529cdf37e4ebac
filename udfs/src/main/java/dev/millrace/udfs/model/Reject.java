package dev.millrace.udfs.model;

/**
 * A record that left the stream, or, for the reason {@code no_progress}, work that does not move.
 *
 * @param runId the run, empty when unknown
 * @param stage which stage refused it
 * @param reason short stable name that can be counted
 * @param key what was refused: an id, or topic, partition and offset
 * @param detail for a person; holds no byte of an agent's output
 */
public record Reject(String runId, String stage, String reason, String key, String detail) {

    /** Reason of a balance of groups that does not hold; its detail names the ids. */
    public static final String ACCOUNTS_VIOLATED = "accounts_violated";
}
