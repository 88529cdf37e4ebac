package dev.millrace.backends.render;

import dev.millrace.udfs.agent.Blanks;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** What stands around what is said in a conversation with one tool, {@code bash}, or none. */
final class QwenTemplate {
    static final String START = "<|im_start|>";
    static final String END = "<|im_end|>";
    static final String END_OF_TEXT = "<|endoftext|>";

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

    /** What the model is told before anything else, and which tool it has. */
    void system(Markup markup, String system, boolean tool) {
        markup.template(START + "system\n");
        if (!tool) {
            markup.foreign(trimmed(system));
        } else if (family.xml()) {
            String trimmed = trimmed(system);
            markup.template(tools);
            markup.template(trimmed.isEmpty() ? "" : "\n\n").foreign(trimmed);
        } else {
            markup.foreign(system).template("\n\n" + tools);
        }
        markup.template(END + "\n");
    }

    /** What the user says when nobody spoke since. */
    void firstUser(Markup markup, String text) {
        markup.template(START + "user");
        said(markup, text);
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

    /** What the user says, where its turn has begun. */
    void said(Markup markup, String text) {
        markup.template("\n").foreign(trimmed(text));
    }

    /** From the end of what the user says to where the model speaks next. */
    void model(Markup markup) {
        markup.template(END + "\n");
        opening(markup);
    }

    /** What a turn of the model begins with. */
    void opening(Markup markup) {
        markup.template(START + "assistant\n" + family.opening(thinking));
    }

    /** As the templates' own language trims: without blanks of any kind at both ends. */
    private String trimmed(String text) {
        return family.xml() ? Blanks.trim(text) : text;
    }
}
