package dev.millrace.udfs.agent;

/** Blanks and line ends as Python's texts have them. */
public final class Blanks {
    private static final char NEXT_LINE = 0x85;

    private Blanks() {}

    /** Whether it is a blank: all kinds of spaces, tabs and line ends. */
    public static boolean isBlank(char c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c) || c == NEXT_LINE;
    }

    /** Whether a line ends after it; a line feed belongs to the carriage return before it. */
    static boolean endsLine(char c) {
        return (c >= '\n' && c <= '\r')
                || (c >= 0x1c && c <= 0x1e)
                || c == NEXT_LINE
                || c == '\u2028'
                || c == '\u2029';
    }

    /** Where the first character stands that is no blank, from a place on. */
    static int skip(String text, int from) {
        int at = from;
        while (at < text.length() && isBlank(text.charAt(at))) {
            at++;
        }
        return at;
    }

    /** Without blanks at the end. */
    static String trimEnd(String text) {
        int end = text.length();
        while (end > 0 && isBlank(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(0, end);
    }

    /** Without blanks at both ends. */
    public static String trim(String text) {
        return trimEnd(text.substring(skip(text, 0)));
    }
}
