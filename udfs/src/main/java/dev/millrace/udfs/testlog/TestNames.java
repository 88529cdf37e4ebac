package dev.millrace.udfs.testlog;

import java.util.regex.Pattern;

/** Names of tests, as they can be compared. */
public final class TestNames {
    private static final Pattern TIMING =
            Pattern.compile(
                    "\\s*(\\[[\\d.]+ ?(ns|us|µs|ms|msec|s|sec|m)]"
                            + "|\\([\\d.]+ ?(ns|us|µs|ms|msec|s|sec|m)\\)"
                            + "| in [\\d.]+ ?(ms|msec|s|sec|seconds))$");

    private TestNames() {}

    /** Without a timing behind it and blanks around it. */
    public static String normalize(String name) {
        return TIMING.matcher(name.strip()).replaceFirst("").strip();
    }

    /** Whether a name was cut off inside its parameters. */
    static boolean cut(String name) {
        return count(name, '[') > count(name, ']');
    }

    private static long count(String text, char wanted) {
        return text.chars().filter(character -> character == wanted).count();
    }
}
