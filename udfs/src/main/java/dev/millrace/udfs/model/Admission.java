package dev.millrace.udfs.model;

/**
 * One attempt that the gate let in, with all that its playing depends on.
 *
 * @param runId the run
 * @param lane what its group is played for
 * @param groupId {@code <run>/g<index>} in the training lane, {@code <run>/<evalRound>/<n>} in the
 *     evaluation lane
 * @param groupIndex position of the group in its lane's order; never reused
 * @param admissionId random; another admission of the same group has another
 * @param groupSize attempts of the group
 * @param attemptIndex which of them this is, from 0
 * @param route key that says where it is played
 * @param task the problem
 * @param policy the version that plays it
 * @param temperature of sampling; 0 is greedy
 * @param seed of all random choices of this attempt
 * @param evalRound name of the evaluation round, empty in the training lane
 * @param budget what it may use
 */
public record Admission(
        String runId,
        Lane lane,
        String groupId,
        long groupIndex,
        String admissionId,
        int groupSize,
        int attemptIndex,
        String route,
        Task task,
        PolicyRef policy,
        double temperature,
        long seed,
        String evalRound,
        AttemptBudget budget) {

    /** Names the attempt; the same in every admission of its group. */
    public String attemptId() {
        return attemptId(groupId, attemptIndex);
    }

    /** Names an attempt of a group. */
    public static String attemptId(String groupId, int attemptIndex) {
        return groupId + "/a" + attemptIndex;
    }

    /** The run that an id belongs to: a run's own id, or that of a group or an attempt. */
    public static String runOf(String id) {
        int slash = id.indexOf('/');
        return slash < 0 ? id : id.substring(0, slash);
    }
}
