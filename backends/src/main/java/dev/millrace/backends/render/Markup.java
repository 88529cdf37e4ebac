package dev.millrace.backends.render;

import java.util.ArrayList;
import java.util.List;

/**
 * Text that is about to be tokenized: what a template says, where marks such as the end of a turn
 * are single tokens, and what others say, where they are only text. A task or a command's output
 * can't close its turn and speak as someone else.
 */
final class Markup {
    private final List<String> marks;
    private final StringBuilder text = new StringBuilder();
    private final List<Integer> cuts = new ArrayList<>();

    /**
     * @param marks texts that are single tokens
     */
    Markup(List<String> marks) {
        this.marks = marks;
    }

    /** Appends what the template says. */
    Markup template(String said) {
        text.append(said);
        return this;
    }

    /** Appends what others say; marks in it are cut apart, so that no token stands for them. */
    Markup foreign(String said) {
        int from = text.length();
        text.append(said);
        for (String mark : marks) {
            for (int at = text.indexOf(mark, from); at >= 0; at = text.indexOf(mark, at + 1)) {
                cuts.add(at + mark.length() / 2);
            }
        }
        return this;
    }

    /** The text between the cuts, in order. */
    List<String> parts() {
        List<String> parts = new ArrayList<>();
        int from = 0;
        for (int cut : cuts.stream().sorted().distinct().toList()) {
            parts.add(text.substring(from, cut));
            from = cut;
        }
        parts.add(text.substring(from));
        return parts;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
