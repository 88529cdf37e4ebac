package dev.millrace.pipeline.topology;

import dev.millrace.backends.port.Action;
import dev.millrace.backends.port.ChatRenderer;
import dev.millrace.backends.port.ExecResult;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads an action out of any tokens, by their sum, so that a policy of random weights does all
 * sorts of things. Text is one token a byte, modulo the vocabulary.
 */
final class SumRenderer implements ChatRenderer {
    static final int VOCABULARY = 48;

    @Override
    public int[] start(String instruction) {
        return text(instruction);
    }

    @Override
    public Action parse(int[] completion, boolean stopped) {
        int sum = Arrays.stream(completion).sum();
        return switch (sum % 7) {
            case 0 -> new Action(Action.Kind.FINAL, "", "");
            case 1 -> new Action(Action.Kind.FORMAT_ERROR, "", "say something else");
            default -> new Action(Action.Kind.COMMAND, "write " + sum % 2, "");
        };
    }

    @Override
    public int[] observe(int[] completion, boolean stopped, String observation, int nextTurn) {
        return text(nextTurn + ":" + observation);
    }

    @Override
    public String describe(ExecResult result) {
        return result.exitCode() + " " + new String(result.output(), StandardCharsets.UTF_8);
    }

    private static int[] text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int[] tokens = new int[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            tokens[i] = (bytes[i] & 0xff) % VOCABULARY;
        }
        return tokens;
    }
}
