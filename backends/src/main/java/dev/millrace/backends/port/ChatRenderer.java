package dev.millrace.backends.port;

import java.util.Optional;

/**
 * Turns text into tokens and back for one model family and one way for agents to work. What was
 * sampled is never rendered again: prompts only grow, but for turns that are taken out whole. Pure
 * and thread-safe.
 */
public interface ChatRenderer {

    /** Tokens up to where the policy speaks first. */
    int[] start(String instruction);

    /** What the policy wants, from the tokens it sampled in one turn. */
    Action parse(int[] completion, boolean stopped);

    /**
     * Tokens to append after a turn, up to where the policy speaks next: whatever closes the turn
     * if it was cut off, then the observation.
     *
     * @param completion the turn's sampled tokens
     * @param stopped whether a stop token ended the turn
     * @param observation text that the policy sees
     * @param nextTurn number of the turn to come, from 1
     */
    int[] observe(int[] completion, boolean stopped, String observation, int nextTurn);

    /**
     * As {@link #observe}, for one of several commands that the turn asked for: the first one's
     * tokens close the turn, the last one's lead to where the policy speaks next. Only a renderer
     * whose {@link #parse} gives several commands has to tell them apart.
     *
     * @param part number of the command, from 0
     * @param parts commands of the turn
     */
    default int[] observe(
            int[] completion,
            boolean stopped,
            String observation,
            int nextTurn,
            int part,
            int parts) {
        if (parts != 1) {
            throw new UnsupportedOperationException("one command a turn");
        }
        return observe(completion, stopped, observation, nextTurn);
    }

    /** What an observation of a command looks like to this policy. */
    String describe(ExecResult result);

    /**
     * What the policy is told about a turn that could not be parsed.
     *
     * @param completion the turn's sampled tokens
     * @param stopped whether a stop token ended the turn
     * @param feedback of {@link #parse}
     * @param nextTurn number of the turn to come, from 1
     */
    default Reply reply(int[] completion, boolean stopped, String feedback, int nextTurn) {
        return new Reply(0, observe(completion, stopped, feedback, nextTurn));
    }

    /**
     * Tokens to append after a turn that ended a step of the task: the next one's instruction.
     *
     * @param completion the turn's sampled tokens
     * @param stopped whether a stop token ended the turn
     * @param instruction of the step that begins
     * @param nextTurn number of the turn to come, from 1
     */
    default int[] instruct(int[] completion, boolean stopped, String instruction, int nextTurn) {
        return observe(completion, stopped, instruction, nextTurn);
    }

    /**
     * What the observation of a command looks like that is not run, since one before it ended all.
     */
    default String describeUnexecuted() {
        return "";
    }

    /** What a command hands in; nothing while the policy's work goes on. */
    default Optional<HandedIn> handedIn(ExecResult result) {
        return Optional.empty();
    }

    /** How commands are run. */
    default CommandRules rules() {
        return CommandRules.USUAL;
    }
}
