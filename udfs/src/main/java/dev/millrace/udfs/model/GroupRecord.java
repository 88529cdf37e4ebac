package dev.millrace.udfs.model;

import java.util.List;

/**
 * A line of the topic {@code groups}: a closed group, or the mark that no group will follow. The
 * first record of a group id in topic order is that group.
 *
 * @param runId the run
 * @param drained true for the mark behind the last group; all that follows is then empty
 * @param lane what it was played for
 * @param groupId names it
 * @param groupIndex position in its lane's order
 * @param admissionId which admission was played
 * @param task the problem
 * @param policy the version it was admitted at; at the mark, the newest one, or null
 * @param evalRound name of the evaluation round, empty in the training lane
 * @param greedy whether it was played at temperature 0
 * @param verdict what became of it
 * @param cause short stable name of why it is no use, empty when MIXED; at the mark, of why the run
 *     ends before its last step, empty when it does not
 * @param rewardMean over valid attempts; 0 when there are none
 * @param attempts in order of their index
 */
public record GroupRecord(
        String runId,
        boolean drained,
        Lane lane,
        String groupId,
        long groupIndex,
        String admissionId,
        Task task,
        PolicyRef policy,
        String evalRound,
        boolean greedy,
        Verdict verdict,
        String cause,
        double rewardMean,
        List<AttemptSummary> attempts) {

    /** At the mark: the run ends since its groups taught nothing. */
    public static final String STARVED = "starved";

    /** At the mark: the run ends since its trainer could not go on with it. */
    public static final String TRAINER_FAILED = "trainer_failed";

    /** A group that failed for a cause without having been played: it has no attempts. */
    public static GroupRecord notPlayed(
            String runId,
            Lane lane,
            String groupId,
            long groupIndex,
            String admissionId,
            Task task,
            PolicyRef policy,
            String evalRound,
            boolean greedy,
            String cause) {
        return new GroupRecord(
                runId,
                false,
                lane,
                groupId,
                groupIndex,
                admissionId,
                task,
                policy,
                evalRound,
                greedy,
                Verdict.FAILED,
                cause,
                0,
                List.of());
    }

    /**
     * The mark behind the last group of a run.
     *
     * @param cause of an early end, or empty
     */
    public static GroupRecord drained(String runId, String cause) {
        return drained(runId, cause, null);
    }

    /**
     * The mark behind the last group of a run.
     *
     * @param cause of an early end, or empty
     * @param newest the version that the run ends with: whoever has not come as far has not seen
     *     the run's end
     */
    public static GroupRecord drained(String runId, String cause, PolicyRef newest) {
        return new GroupRecord(
                runId,
                true,
                Lane.TRAIN,
                "",
                -1,
                "",
                null,
                newest,
                "",
                false,
                Verdict.CANCELLED,
                cause,
                0,
                List.of());
    }
}
