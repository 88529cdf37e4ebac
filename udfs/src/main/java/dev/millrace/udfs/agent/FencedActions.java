package dev.millrace.udfs.agent;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds actions in blocks of text: a line of three backticks and the block's name, the action, a
 * line that begins with three backticks. Takes time in proportion to the text, whatever it is.
 */
public final class FencedActions {
    private static final String FENCE = "```";
    private static final String CLOSING = "\n" + FENCE;

    private FencedActions() {}

    /**
     * The actions, in their order, without blanks at both ends.
     *
     * @param name of the blocks
     */
    public static List<String> find(String text, String name) {
        String opening = FENCE + name;
        int lastClosing = text.lastIndexOf(CLOSING);
        List<String> found = new ArrayList<>();
        int at = text.indexOf(opening);
        while (at >= 0 && at < lastClosing) {
            int begin = begin(text, at + opening.length(), lastClosing);
            if (begin < 0) {
                at = text.indexOf(opening, at + 1);
            } else {
                int end = text.indexOf(CLOSING, begin);
                found.add(Blanks.trim(text.substring(begin, end)));
                at = text.indexOf(opening, end + CLOSING.length());
            }
        }
        return found;
    }

    /** After the last line end among the blanks from which a closing line can still be reached. */
    private static int begin(String text, int from, int lastClosing) {
        int begin = -1;
        for (int i = from; i < text.length() && Blanks.isBlank(text.charAt(i)); i++) {
            if (text.charAt(i) == '\n' && i + 1 <= lastClosing) {
                begin = i + 1;
            }
        }
        return begin;
    }
}
