package dev.millrace.backends.fake;

import dev.millrace.backends.port.Action;
import dev.millrace.backends.port.ChatRenderer;
import dev.millrace.backends.port.ExecResult;
import java.nio.charset.StandardCharsets;

/**
 * One token a turn. Token {@code a} below {@link FakeTasks#ANSWERS} means {@code write a}; the next
 * one is final; all others are format errors. Text is one token a byte, offset by {@link #TEXT}.
 */
public final class FakeRenderer implements ChatRenderer {
    /** First token that stands for a byte of text. */
    public static final int TEXT = 100;

    @Override
    public int[] start(String instruction) {
        return text(instruction);
    }

    @Override
    public Action parse(int[] completion, boolean stopped) {
        int token = completion.length == 0 ? -1 : completion[0];
        if (token >= 0 && token < FakeTasks.ANSWERS) {
            return new Action(Action.Kind.COMMAND, "write " + token, "");
        }
        return token == FakeTasks.ANSWERS
                ? new Action(Action.Kind.FINAL, "", "")
                : new Action(Action.Kind.FORMAT_ERROR, "", "say a number");
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
            tokens[i] = TEXT + (bytes[i] & 0xff);
        }
        return tokens;
    }
}
