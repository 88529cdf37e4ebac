package dev.millrace.backends.render;

import dev.millrace.backends.port.Transcriber;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads conversations whose turns stand between marks. Marks are told by their ids: a task or an
 * output that only contains their text can't pass for a turn of someone else.
 */
public final class ChatTranscriber implements Transcriber {
    private static final String SYSTEM = "system";
    private static final String POLICY = "assistant";

    private final TextTokenizer tokenizer;
    private final int start;
    private final int end;

    /** Reads what a model with this tokenizer reads and says. */
    public ChatTranscriber(TextTokenizer tokenizer) {
        this.tokenizer = tokenizer;
        this.start = tokenizer.mark(QwenTemplate.START);
        this.end = tokenizer.mark(QwenTemplate.END);
    }

    @Override
    public List<Told> told(int[] tokens) {
        List<Told> told = new ArrayList<>();
        for (int at = indexOf(start, tokens, 0); at < tokens.length; ) {
            int to = Math.min(indexOf(end, tokens, at), indexOf(start, tokens, at + 1));
            turn(tokenizer.decode(Arrays.copyOfRange(tokens, at + 1, to)), told);
            at = indexOf(start, tokens, to);
        }
        return told;
    }

    /** A turn begins with a line that names who speaks; that of the policy is only opened here. */
    private static void turn(String text, List<Told> told) {
        int line = text.indexOf('\n');
        String who = line < 0 ? text : text.substring(0, line);
        String said = line < 0 ? "" : text.substring(line + 1);
        if (!who.equals(POLICY) && !said.isEmpty()) {
            told.add(new Told(who.equals(SYSTEM), said));
        }
    }

    @Override
    public String said(int[] completion) {
        int length = completion.length;
        boolean marked = length > 0 && tokenizer.stops().contains(completion[length - 1]);
        return tokenizer.decode(marked ? Arrays.copyOf(completion, length - 1) : completion);
    }

    /** Where a token is next; the number of all tokens when it isn't there. */
    private static int indexOf(int token, int[] tokens, int from) {
        int at = Math.min(from, tokens.length);
        while (at < tokens.length && tokens[at] != token) {
            at++;
        }
        return at;
    }
}
