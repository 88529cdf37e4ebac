package dev.millrace.udfs.model;

/**
 * A record that left the stream, or, for the reasons below and {@code no_progress}, something that
 * a person should look at.
 *
 * @param runId the run, empty when unknown
 * @param stage which stage refused it
 * @param reason short stable name that can be counted
 * @param key what was refused: an id, or topic, partition and offset
 * @param detail for a person; holds no byte of an agent's output
 */
public record Reject(String runId, String stage, String reason, String key, String detail) {

    /** Stage that refuses rows of a data set or of a topic. */
    public static final String TASKS = "tasks";

    /** Reason of a row that is no task; its key says where it is. */
    public static final String MALFORMED_TASK_ROW = "malformed_task_row";

    /** Reason of a balance of groups that does not hold; its detail names the ids. */
    public static final String ACCOUNTS_VIOLATED = "accounts_violated";

    /** Reason of a cause that too many effects of a stage fail with; its key is the cause. */
    public static final String FAILURE_RATE = "failure_rate";

    /** Reason of a pause of a run since its groups lost all attempts; its key is the cause. */
    public static final String INFRASTRUCTURE_AWAY = "infrastructure_away";

    /** Reason of attempts of a group that said the same; its key is the group. */
    public static final String EQUAL_ATTEMPTS = "equal_attempts";
}
