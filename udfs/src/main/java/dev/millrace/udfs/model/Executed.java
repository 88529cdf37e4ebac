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
 * @param end set when the turn has ended a step of the task and the policy was told the next one
 */
public record Executed(
        int exitCode,
        boolean timedOut,
        int[] observationTokens,
        long outputBytes,
        String outputSha256,
        boolean sandboxEnded,
        @JsonInclude(JsonInclude.Include.NON_NULL) StepEnd end) {

    /** Within a step. */
    public Executed(
            int exitCode,
            boolean timedOut,
            int[] observationTokens,
            long outputBytes,
            String outputSha256,
            boolean sandboxEnded) {
        this(exitCode, timedOut, observationTokens, outputBytes, outputSha256, sandboxEnded, null);
    }
}
