package dev.millrace.udfs.testlog;

import java.util.List;
import java.util.regex.Pattern;

/** The lines of a log, as plain text. */
final class LogLines {
    private static final Pattern ESCAPE =
            Pattern.compile(
                    "\u001b(\\[[0-?]*["
                        + " -/]*[@-~]|][^\u0007\u001b]*(\u0007|\u001b\\\\)|[()][0-9A-Za-z]|[@-Z\\\\^_])");
    private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x08\\x0b-\\x1f]");

    private LogLines() {}

    /** Without colours, control characters and blanks at the end. */
    static List<String> of(String log) {
        String plain = ESCAPE.matcher(log.replace("\r\n", "\n").replace('\r', '\n')).replaceAll("");
        return CONTROL.matcher(plain).replaceAll("").lines().map(String::stripTrailing).toList();
    }
}
