package dev.millrace.udfs.model;

/**
 * One turn of a trajectory.
 *
 * @param firstToken index of its first sampled token
 * @param generatedTokens sampled tokens; 0 when the turn was taken out of the conversation
 * @param served version that sampled them
 * @param action what the policy wanted
 * @param command shell text, or what the policy was told; several commands stand on lines of their
 *     own
 * @param exitCode of the last command, -1 when none was run
 * @param timedOut whether a command's time limit ended it
 */
public record Turn(
        int firstToken,
        int generatedTokens,
        PolicyVersion served,
        TurnAction action,
        String command,
        int exitCode,
        boolean timedOut) {}
