package dev.millrace.udfs.model;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * The environment's part of a turn: what came of one command, or that the policy was told
 * something.
 *
 * @param exitCode of the command; 124 when it was timed out
 * @param timedOut whether the time limit ended it
 * @param observationTokens ids to append; those of a turn's last part go up to where the policy
 *     speaks next
 * @param outputBytes written by the command in all
 * @param outputSha256 digest of the observation's text
 * @param sandboxEnded whether the command brought its sandbox down
 * @param takenBack ids at the end of the attempt that are taken out before others are appended: a
 *     turn that leaves the conversation, and what led to it
 * @param submitted whether the command said that the policy is done; what is left of its turn is
 *     not run
 * @param submission what was handed in, or null when nothing was, or too much
 * @param end set when the turn has ended a step of the task and the policy was told the next one
 */
public record Executed(
        int exitCode,
        boolean timedOut,
        int[] observationTokens,
        long outputBytes,
        String outputSha256,
        boolean sandboxEnded,
        int takenBack,
        boolean submitted,
        ContentRef submission,
        @JsonInclude(JsonInclude.Include.NON_NULL) StepEnd end) {

    /** Within a step of the task. */
    public Executed(
            int exitCode,
            boolean timedOut,
            int[] observationTokens,
            long outputBytes,
            String outputSha256,
            boolean sandboxEnded,
            int takenBack,
            boolean submitted,
            ContentRef submission) {
        this(
                exitCode,
                timedOut,
                observationTokens,
                outputBytes,
                outputSha256,
                sandboxEnded,
                takenBack,
                submitted,
                submission,
                null);
    }

    /** One after which the attempt goes on, with all that was said. */
    public Executed(
            int exitCode,
            boolean timedOut,
            int[] observationTokens,
            long outputBytes,
            String outputSha256,
            boolean sandboxEnded) {
        this(
                exitCode,
                timedOut,
                observationTokens,
                outputBytes,
                outputSha256,
                sandboxEnded,
                0,
                false,
                null);
    }
}
