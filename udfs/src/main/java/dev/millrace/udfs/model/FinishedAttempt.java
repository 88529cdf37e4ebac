package dev.millrace.udfs.model;

/**
 * An attempt that was played to its end, not yet graded.
 *
 * @param admission what was played
 * @param outcome why it ended
 * @param failure why nothing can be graded, or null
 * @param workspace files to grade, or null
 * @param trajectory tokens, mask, log-probabilities and versions, or null when nothing was sampled
 * @param turns model calls
 * @param generatedTokens sampled tokens, those that a loss may count
 * @param totalTokens all tokens
 * @param oldestVersion oldest version that sampled a token, or the pinned one when none was sampled
 * @param runningMillis time its steps took
 * @param tries how often it was started
 * @param spoken what its policy said, in short, or null when that is not known
 * @param submission what its policy handed in, or null when that is nothing
 */
public record FinishedAttempt(
        Admission admission,
        Outcome outcome,
        Failure failure,
        ContentRef workspace,
        ContentRef trajectory,
        int turns,
        int generatedTokens,
        int totalTokens,
        PolicyVersion oldestVersion,
        long runningMillis,
        int tries,
        Spoken spoken,
        ContentRef submission) {

    /** One that handed nothing in. */
    public FinishedAttempt(
            Admission admission,
            Outcome outcome,
            Failure failure,
            ContentRef workspace,
            ContentRef trajectory,
            int turns,
            int generatedTokens,
            int totalTokens,
            PolicyVersion oldestVersion,
            long runningMillis,
            int tries,
            Spoken spoken) {
        this(
                admission,
                outcome,
                failure,
                workspace,
                trajectory,
                turns,
                generatedTokens,
                totalTokens,
                oldestVersion,
                runningMillis,
                tries,
                spoken,
                null);
    }

    /** One of which it is not known what its policy said. */
    public FinishedAttempt(
            Admission admission,
            Outcome outcome,
            Failure failure,
            ContentRef workspace,
            ContentRef trajectory,
            int turns,
            int generatedTokens,
            int totalTokens,
            PolicyVersion oldestVersion,
            long runningMillis,
            int tries) {
        this(
                admission,
                outcome,
                failure,
                workspace,
                trajectory,
                turns,
                generatedTokens,
                totalTokens,
                oldestVersion,
                runningMillis,
                tries,
                null);
    }
}
