package dev.millrace.udfs.model;

/**
 * The policy's part of a turn.
 *
 * @param tokens sampled ids
 * @param logprobs of these tokens under the version that served, base e, same length
 * @param served the version that really answered
 * @param stopped whether a stop token ended the turn
 * @param action what it wanted
 * @param command shell text for a command, else what to tell the policy
 */
public record Sampled(
        int[] tokens,
        float[] logprobs,
        PolicyVersion served,
        boolean stopped,
        TurnAction action,
        String command) {}
