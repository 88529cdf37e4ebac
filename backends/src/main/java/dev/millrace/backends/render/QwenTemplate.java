package dev.millrace.backends.render;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** What stands around what is said in a conversation with one tool, {@code bash}. */
final class QwenTemplate {
    static final String START = "<|im_start|>";
    static final String END = "<|im_end|>";
    static final String END_OF_TEXT = "<|endoftext|>";

    private static final char NEXT_LINE = 0x85;

    private final ChatFamily family;
    private final boolean thinking;
    private final String tools;

    QwenTemplate(ChatFamily family, boolean thinking) {
        this.family = family;
        this.thinking = thinking;
        tools = resource(family.xml() ? "tools-xml.txt" : "tools-json.txt");
    }

    private static String resource(String name) {
        try (InputStream in = QwenTemplate.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).stripTrailing();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Up to where the model speaks first. */
    void start(Markup markup, String system, String instruction) {
        markup.template(START + "system\n");
        if (family.xml()) {
            String trimmed = trimmed(system);
            markup.template(tools);
            markup.template(trimmed.isEmpty() ? "" : "\n\n" + trimmed);
        } else {
            markup.template(system + "\n\n" + tools);
        }
        markup.template(END + "\n" + START + "user\n");
        markup.foreign(trimmed(instruction));
        model(markup);
    }

    /** From the end of a turn to where the user begins to answer its calls. */
    void user(Markup markup, boolean ended) {
        markup.template((ended ? "" : END) + "\n" + START + "user");
    }

    /** What one call gave. All that a turn's calls gave stands in one turn of the user. */
    void response(Markup markup, String observation) {
        markup.template("\n<tool_response>\n");
        markup.foreign(trimmed(observation));
        markup.template("\n</tool_response>");
    }

    /** From the last response to where the model speaks next. */
    void model(Markup markup) {
        markup.template(END + "\n");
        opening(markup);
    }

    private void opening(Markup markup) {
        markup.template(START + "assistant\n" + family.opening(thinking));
    }

    /** As the templates' own language trims: without blanks of any kind at both ends. */
    private String trimmed(String text) {
        if (!family.xml()) {
            return text;
        }
        int from = 0;
        int to = text.length();
        while (from < to && isBlank(text.charAt(from))) {
            from++;
        }
        while (to > from && isBlank(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    private static boolean isBlank(char c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c) || c == NEXT_LINE;
    }
}
