package dev.millrace.udfs.testlog;

import java.util.List;

/**
 * Whether a repair does what it has to, by the tests.
 *
 * @param outcome what is known
 * @param cause why nothing is known; empty otherwise
 * @param notRepaired tests that should pass and did not
 * @param broken tests that passed before and did not any more
 */
public record TestVerdict(
        Outcome outcome, String cause, List<String> notRepaired, List<String> broken) {

    /** What is known. */
    public enum Outcome {
        /** All tests ended as they have to. */
        RESOLVED,
        /** Some did not. */
        UNRESOLVED,
        /** The log can't be believed. */
        UNTRUSTED
    }

    /** The tests did not run. */
    public static final String NO_RESULTS = "no_test_results";

    /** All is well by the log, and the command says otherwise. */
    public static final String EXIT_CODE = "exit_code_disagrees";

    /** Exit codes of shells for commands that could not be run. */
    private static final int FIRST_NOT_RUN = 126;

    private static final int LAST_NOT_RUN = 127;

    /**
     * Judges.
     *
     * @param exitCode of the test command
     */
    public static TestVerdict of(TestExpectation expected, TestLog log, int exitCode) {
        if (!log.ran()) {
            boolean notRun = exitCode >= FIRST_NOT_RUN && exitCode <= LAST_NOT_RUN;
            return untrusted(notRun ? "tests_not_executable" : NO_RESULTS);
        }
        List<String> notRepaired = expected.notRepaired(log);
        List<String> broken = expected.broken(log);
        if (!notRepaired.isEmpty() || !broken.isEmpty()) {
            return new TestVerdict(Outcome.UNRESOLVED, "", notRepaired, broken);
        }
        if (exitCode != 0 && !log.anyBad()) {
            return untrusted(EXIT_CODE);
        }
        return new TestVerdict(Outcome.RESOLVED, "", List.of(), List.of());
    }

    private static TestVerdict untrusted(String cause) {
        return new TestVerdict(Outcome.UNTRUSTED, cause, List.of(), List.of());
    }
}
