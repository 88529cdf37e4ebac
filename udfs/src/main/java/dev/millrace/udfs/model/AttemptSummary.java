package dev.millrace.udfs.model;

import java.util.List;

/**
 * An attempt as its closed group reports it.
 *
 * @param attemptId names it
 * @param attemptIndex position in the group
 * @param outcome why it ended
 * @param valid whether its reward counts
 * @param reward finite; 0 when not valid
 * @param failure why it isn't valid, or null
 * @param flags what a person should know about the verdict
 * @param trajectory tokens, mask, log-probabilities and versions, or null
 * @param turns model calls
 * @param generatedTokens sampled tokens
 * @param totalTokens all tokens
 * @param oldestVersion oldest version that sampled a token
 * @param runningMillis time its steps took
 * @param gradingMillis time grading took
 * @param tries how often it was started
 */
public record AttemptSummary(
        String attemptId,
        int attemptIndex,
        Outcome outcome,
        boolean valid,
        double reward,
        Failure failure,
        List<String> flags,
        ContentRef trajectory,
        int turns,
        int generatedTokens,
        int totalTokens,
        PolicyVersion oldestVersion,
        long runningMillis,
        long gradingMillis,
        int tries) {

    /** Of an attempt that was played and graded. */
    public static AttemptSummary of(GradedAttempt graded) {
        FinishedAttempt attempt = graded.attempt();
        return new AttemptSummary(
                attempt.admission().attemptId(),
                attempt.admission().attemptIndex(),
                attempt.outcome(),
                graded.valid(),
                graded.reward(),
                graded.failure(),
                graded.flags(),
                attempt.trajectory(),
                attempt.turns(),
                attempt.generatedTokens(),
                attempt.totalTokens(),
                attempt.oldestVersion(),
                attempt.runningMillis(),
                graded.gradingMillis(),
                attempt.tries());
    }
}
