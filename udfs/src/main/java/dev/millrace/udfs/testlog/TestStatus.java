package dev.millrace.udfs.testlog;

/** How a test ended, best first. */
public enum TestStatus {
    /** As it should. */
    PASSED,
    /** It passed where a failure was expected. */
    XPASS,
    /** It failed as expected. */
    XFAIL,
    /** It was not run. */
    SKIPPED,
    /** An assertion failed. */
    FAILED,
    /** Something went wrong around it. */
    ERROR;

    /** Whether its test found a fault. */
    public boolean bad() {
        return this == FAILED || this == ERROR;
    }

    /** The worse of two, for a test that is reported twice. */
    static TestStatus worse(TestStatus one, TestStatus other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
