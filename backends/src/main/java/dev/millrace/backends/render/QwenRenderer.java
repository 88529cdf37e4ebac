package dev.millrace.backends.render;

import dev.millrace.backends.port.Action;
import dev.millrace.backends.port.ChatRenderer;
import dev.millrace.backends.port.ExecResult;
import java.nio.charset.StandardCharsets;

/**
 * Conversations of a Qwen model with a shell. What the model said is never tokenized again: a turn
 * is followed by the tokens of what comes after it.
 */
public final class QwenRenderer implements ChatRenderer {
    private static final int MOST_OUTPUT = 20_000;

    private final QwenConversation conversation;
    private final ToolCalls calls;
    private final String system;

    /** Conversations of a model that thinks before it speaks. */
    public QwenRenderer(ChatFamily family, TextTokenizer tokenizer, String system) {
        this(family, tokenizer, system, true);
    }

    /**
     * @param family how the model writes
     * @param tokenizer of the model
     * @param system what the model is told before anything else
     * @param thinking whether it thinks before it speaks
     */
    public QwenRenderer(
            ChatFamily family, TextTokenizer tokenizer, String system, boolean thinking) {
        this.conversation = new QwenConversation(family, tokenizer, thinking);
        this.calls = new ToolCalls(family.xml());
        this.system = system;
    }

    @Override
    public int[] start(String instruction) {
        return conversation.start(system, instruction, true);
    }

    @Override
    public Action parse(int[] completion, boolean stopped) {
        if (!stopped) {
            return ToolCalls.malformed("the turn was cut off, it was too long");
        }
        return calls.read(conversation.said(completion));
    }

    @Override
    public int[] observe(int[] completion, boolean stopped, String observation, int nextTurn) {
        return observe(completion, stopped, observation, nextTurn, 0, 1);
    }

    @Override
    public int[] observe(
            int[] completion,
            boolean stopped,
            String observation,
            int nextTurn,
            int part,
            int parts) {
        return conversation.response(completion, observation, part, parts);
    }

    @Override
    public int[] instruct(int[] completion, boolean stopped, String instruction, int nextTurn) {
        return conversation.user(completion, instruction);
    }

    @Override
    public String describe(ExecResult result) {
        String output = new String(result.output(), StandardCharsets.UTF_8);
        int from = Math.max(0, output.length() - MOST_OUTPUT);
        return "exit_code=" + result.exitCode() + "\n" + output.substring(from);
    }
}
