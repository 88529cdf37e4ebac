package dev.millrace.udfs.agent;

import java.util.OptionalInt;

/**
 * How an agent says that it is done: a command that succeeds and whose output begins with a line
 * that says so. What follows that line is handed in.
 */
public final class Submission {
    /** The line. */
    public static final String SENTINEL = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT";

    private Submission() {}

    /** Where what is handed in begins in a command's output; nothing when the agent goes on. */
    public static OptionalInt begin(String output, int exitCode) {
        int first = Blanks.skip(output, 0);
        if (exitCode != 0 || !output.startsWith(SENTINEL, first)) {
            return OptionalInt.empty();
        }
        int at = first + SENTINEL.length();
        while (at < output.length()) {
            char c = output.charAt(at);
            if (!Blanks.isBlank(c)) {
                return OptionalInt.empty();
            }
            at++;
            if (Blanks.endsLine(c)) {
                boolean both = c == '\r' && at < output.length() && output.charAt(at) == '\n';
                return OptionalInt.of(both ? at + 1 : at);
            }
        }
        return OptionalInt.of(at);
    }
}
