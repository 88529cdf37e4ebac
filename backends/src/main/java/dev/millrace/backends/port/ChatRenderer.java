package dev.millrace.backends.port;

/**
 * Turns text into tokens and back for one model family. Prompts only grow: what was sampled is
 * never rendered again. Pure and thread-safe.
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

    /** What an observation of a command looks like to this policy. */
    String describe(ExecResult result);
}
