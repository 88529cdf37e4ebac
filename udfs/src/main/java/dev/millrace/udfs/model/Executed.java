package dev.millrace.udfs.model;

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
 */
public record Executed(
        int exitCode,
        boolean timedOut,
        int[] observationTokens,
        long outputBytes,
        String outputSha256,
        boolean sandboxEnded) {}
