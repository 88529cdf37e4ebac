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
}
