package dev.millrace.jobs.cli;

/** What the process says when it ends. */
public final class ExitCode {
    /** All went as asked. */
    public static final int OK = 0;

    /** The run failed. */
    public static final int FAILED = 1;

    /** The input was refused before anything started. */
    public static final int BAD_INPUT = 2;

    /** Ctrl-C ended it; Java's own code for that signal. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}
