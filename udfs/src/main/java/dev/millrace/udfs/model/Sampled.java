package dev.millrace.udfs.model;

import java.util.ArrayList;
import java.util.List;

/**
 * The policy's part of a turn.
 *
 * @param tokens sampled ids
 * @param logprobs of these tokens under the version that served, base e, same length
 * @param served the version that really answered
 * @param stopped whether a stop token ended the turn
 * @param action what it wanted
 * @param command shell text for a command, else what to tell the policy
 * @param more shell texts of the commands that follow it in the same turn, or null for none
 */
public record Sampled(
        int[] tokens,
        float[] logprobs,
        PolicyVersion served,
        boolean stopped,
        TurnAction action,
        String command,
        List<String> more) {

    /** A turn with one command at most. */
    public Sampled(
            int[] tokens,
            float[] logprobs,
            PolicyVersion served,
            boolean stopped,
            TurnAction action,
            String command) {
        this(tokens, logprobs, served, stopped, action, command, null);
    }

    /** What the environment answers one after the other: commands, or one thing to tell. */
    public List<String> parts() {
        List<String> parts = new ArrayList<>(List.of(command));
        parts.addAll(more == null ? List.of() : more);
        return parts;
    }
}
