package dev.millrace.backends.render;

import dev.millrace.backends.port.Reply;
import java.util.Arrays;

/**
 * The tokens of a conversation with a Qwen model. What the model said is never tokenized again: a
 * turn is followed by the tokens of what comes after it.
 */
final class QwenConversation {
    private static final String THOUGHT = "</think>";

    private final ChatFamily family;
    private final TextTokenizer tokenizer;
    private final boolean thinking;
    private final QwenTemplate template;

    /** Whether the model thinks before it speaks is settled for all its turns. */
    QwenConversation(ChatFamily family, TextTokenizer tokenizer, boolean thinking) {
        this.family = family;
        this.tokenizer = tokenizer;
        this.thinking = thinking;
        this.template = new QwenTemplate(family, thinking);
    }

    /**
     * Up to where the model speaks first.
     *
     * @param tool whether the model is offered the tool bash
     */
    int[] start(String system, String user, boolean tool) {
        Markup markup = tokenizer.markup();
        template.system(markup, system, tool);
        template.firstUser(markup, user);
        template.model(markup);
        return tokenizer.encode(markup);
    }

    /** What the model said, without the mark at its end. */
    String said(int[] completion) {
        int length = completion.length;
        boolean marked = length > 0 && tokenizer.stops().contains(completion[length - 1]);
        return tokenizer.decode(marked ? Arrays.copyOf(completion, length - 1) : completion);
    }

    /** What the model said after its thinking; nothing when it thought to the end. */
    String answer(int[] completion) {
        String said = said(completion);
        int thought = said.lastIndexOf(THOUGHT);
        if (thought >= 0) {
            return said.substring(thought + THOUGHT.length());
        }
        boolean begun = thinking && !family.opening(true).isEmpty();
        return begun || said.stripLeading().startsWith("<think>") ? "" : said;
    }

    /**
     * What one call of a turn gave. It begins and ends with a mark, so it is tokenized by itself as
     * it is among the others.
     *
     * @param part number of the call, from 0
     * @param parts calls of the turn
     */
    int[] response(int[] completion, String text, int part, int parts) {
        Markup markup = tokenizer.markup();
        if (part == 0) {
            template.user(markup, ended(completion));
        }
        template.response(markup, text);
        if (part == parts - 1) {
            template.model(markup);
        }
        return tokenizer.encode(markup);
    }

    /** The user's answer to a turn. */
    int[] user(int[] completion, String text) {
        Markup markup = tokenizer.markup();
        template.user(markup, ended(completion));
        template.said(markup, text);
        template.model(markup);
        return tokenizer.encode(markup);
    }

    /** What the user says instead of a turn of the model that leaves the conversation. */
    Reply userInstead(int[] completion, String text) {
        Markup opening = tokenizer.markup();
        template.opening(opening);
        Markup markup = tokenizer.markup();
        template.firstUser(markup, text);
        template.model(markup);
        return new Reply(
                completion.length + tokenizer.encode(opening).length, tokenizer.encode(markup));
    }

    private boolean ended(int[] completion) {
        return completion.length > 0
                && completion[completion.length - 1] == tokenizer.mark(QwenTemplate.END);
    }
}
