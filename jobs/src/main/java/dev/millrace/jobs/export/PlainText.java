package dev.millrace.jobs.export;

/**
 * Text that others may print. Agents choose what is in it: characters that would steer a terminal,
 * turn the reading direction around or are no characters at all become U+FFFD. Line feeds and tabs
 * stay.
 */
final class PlainText {
    private static final int REPLACEMENT = 0xFFFD;
    private static final String TURNS_DIRECTION =
            "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069";

    private PlainText() {}

    static String of(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        for (int at = 0; at < text.length(); ) {
            int point = text.codePointAt(at);
            at += Character.charCount(point);
            boolean lineEnd = point == '\r' && at < text.length() && text.charAt(at) == '\n';
            if (!lineEnd) {
                plain.appendCodePoint(isPlain(point) ? point : REPLACEMENT);
            }
        }
        return plain.toString();
    }

    /** The same on one line, cut off after some characters. */
    static String line(String text, int most) {
        String line = of(text).replace('\n', ' ').replace('\t', ' ');
        int points = line.codePointCount(0, line.length());
        return points <= most ? line : line.substring(0, line.offsetByCodePoints(0, most)) + "...";
    }

    private static boolean isPlain(int point) {
        if (point == '\n' || point == '\t') {
            return true;
        }
        boolean half = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
        return !Character.isISOControl(point) && !half && TURNS_DIRECTION.indexOf(point) < 0;
    }
}
