package dev.millrace.udfs.agent;

/** Values as JSON that is also safe inside HTML, as Jinja's {@code tojson} writes them. */
final class JsonText {
    private static final String ESCAPED = "\"\\\b\f\n\r\t";
    private static final String LETTERS = "\"\\bfnrt";
    private static final String UNSAFE = "<>&'";

    private JsonText() {}

    static String of(Object value) {
        Object there = Values.there(value);
        if (there instanceof String text) {
            return quoted(text);
        }
        if (there instanceof Boolean || there == null) {
            return String.valueOf(there);
        }
        return Long.toString(Values.number(there));
    }

    private static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int escaped = ESCAPED.indexOf(c);
            if (escaped >= 0) {
                out.append('\\').append(LETTERS.charAt(escaped));
            } else if (c < ' ' || (c > '~' && c != 0x7f) || UNSAFE.indexOf(c) >= 0) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }
}
