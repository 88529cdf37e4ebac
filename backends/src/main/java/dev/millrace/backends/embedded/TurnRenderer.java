package dev.millrace.backends.embedded;

import dev.millrace.backends.port.Action;
import dev.millrace.backends.port.ChatRenderer;
import dev.millrace.backends.port.ExecResult;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Shell sessions as the embedded policy sees them: begin, instruction, then for each turn a token
 * of its own, the command, end of turn, and the observation. {@code exit} ends the attempt.
 */
public final class TurnRenderer implements ChatRenderer {
    /** Turns that the policy tells apart; an attempt should have no more. */
    public static final int MAX_TURNS = Vocabulary.TURNS;

    /** Most tokens of one observation that the policy sees. */
    public static final int MAX_OBSERVATION_TOKENS = 100;

    private static final String EXIT = "exit";

    /** Number of token ids of the policy that this renderer speaks to. */
    public static int vocabularySize() {
        return Vocabulary.INSTANCE.size();
    }

    /** The tokens of a turn in which the policy says a command. */
    public static int[] turn(String command) {
        int[] ids = PieceTokenizer.encode(command);
        int[] turn = Arrays.copyOf(ids, ids.length + 1);
        turn[ids.length] = Vocabulary.END_OF_TURN;
        return turn;
    }

    @Override
    public int[] start(String instruction) {
        int[] said = PieceTokenizer.encode(instruction);
        int[] prompt = new int[said.length + 2];
        prompt[0] = Vocabulary.BEGIN;
        System.arraycopy(said, 0, prompt, 1, said.length);
        prompt[said.length + 1] = Vocabulary.FIRST_TURN;
        return prompt;
    }

    @Override
    public Action parse(int[] completion, boolean stopped) {
        if (!stopped) {
            return new Action(Action.Kind.FORMAT_ERROR, "", "command not found: it was cut off\n");
        }
        String command = PieceTokenizer.decode(completion).strip();
        if (command.isEmpty() || command.indexOf('\0') >= 0) {
            return new Action(Action.Kind.FORMAT_ERROR, "", "command not found\n");
        }
        return command.equals(EXIT)
                ? new Action(Action.Kind.FINAL, "", "")
                : new Action(Action.Kind.COMMAND, command, "");
    }

    /**
     * {@inheritDoc}
     *
     * @param nextTurn number of the turn to come; the turn that {@link #start} opens is number 0
     */
    @Override
    public int[] observe(int[] completion, boolean stopped, String observation, int nextTurn) {
        int[] seen = PieceTokenizer.encode(observation);
        int shown = Math.min(seen.length, MAX_OBSERVATION_TOKENS);
        int[] tokens = new int[shown + 4];
        int count = 0;
        if (!stopped) {
            tokens[count++] = Vocabulary.END_OF_TURN;
        }
        tokens[count++] = Vocabulary.OBSERVATION;
        System.arraycopy(seen, 0, tokens, count, shown);
        count += shown;
        if (shown < seen.length) {
            tokens[count++] = Vocabulary.TRUNCATED;
        }
        tokens[count++] = Vocabulary.FIRST_TURN + Math.min(nextTurn, MAX_TURNS - 1);
        return Arrays.copyOf(tokens, count);
    }

    @Override
    public String describe(ExecResult result) {
        String output = new String(result.output(), StandardCharsets.UTF_8);
        return result.timedOut() ? output + "\ntimed out\n" : output;
    }
}
