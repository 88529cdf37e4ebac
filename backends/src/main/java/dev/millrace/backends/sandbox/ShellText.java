package dev.millrace.backends.sandbox;

import java.util.Map;
import java.util.regex.Pattern;

/** Text that a POSIX shell reads back as it was meant. */
public final class ShellText {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private ShellText() {}

    /** One word in single quotes. NUL can't be in a shell word and is dropped. */
    public static String quote(String text) {
        return "'" + text.replace("\0", "").replace("'", "'\\''") + "'";
    }

    /** Statements that export the variables. */
    public static String exports(Map<String, String> environment) {
        StringBuilder text = new StringBuilder();
        environment.forEach(
                (name, value) -> {
                    if (!NAME.matcher(name).matches()) {
                        throw new IllegalArgumentException(
                                "not a name of an environment variable: '" + name + "'");
                    }
                    text.append("export ").append(name).append('=').append(quote(value));
                    text.append('\n');
                });
        return text.toString();
    }

    /** A format for {@code printf} that prints exactly these bytes; plain ASCII. */
    public static void printfFormat(byte[] content, StringBuilder out) {
        for (byte b : content) {
            int c = b & 0xff;
            if (c == '%') {
                out.append("%%");
            } else if (c == '\n' || (c >= ' ' && c < 127 && c != '\\' && c != '\'')) {
                out.append((char) c);
            } else {
                out.append('\\')
                        .append((char) ('0' + (c >> 6)))
                        .append((char) ('0' + ((c >> 3) & 7)))
                        .append((char) ('0' + (c & 7)));
            }
        }
    }
}
