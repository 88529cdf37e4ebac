package dev.millrace.udfs.testlog;

/** Reads the output of a test runner. Whatever the output is, it never throws. */
public interface LogParser {
    /**
     * Reads a log.
     *
     * @param log standard output and error in the order they were written
     */
    TestLog parse(String log);
}
