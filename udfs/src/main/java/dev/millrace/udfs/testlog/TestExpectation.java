package dev.millrace.udfs.testlog;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What a repair has to achieve.
 *
 * @param failToPass tests that have to pass
 * @param passToPass tests that must not break
 * @param expectedFailures tests that the reference repair leaves marked as expected to fail; others
 *     that end so did not pass
 * @param failuresOnly whether the runner names only tests that did not pass
 */
public record TestExpectation(
        List<String> failToPass,
        List<String> passToPass,
        Set<String> expectedFailures,
        boolean failuresOnly) {

    /** Of a runner that names all tests. */
    public static TestExpectation of(List<String> failToPass, List<String> passToPass) {
        return new TestExpectation(failToPass, passToPass, Set.of(), false);
    }

    /** Tests that should pass and did not. */
    List<String> notRepaired(TestLog log) {
        return failToPass.stream()
                .filter(name -> !passes(name, log, status -> repaired(name, status)))
                .toList();
    }

    /** Tests that passed before and did not any more. */
    List<String> broken(TestLog log) {
        return passToPass.stream()
                .filter(name -> !passes(name, log, TestExpectation::maintained))
                .toList();
    }

    private boolean repaired(String name, TestStatus status) {
        return status == TestStatus.PASSED
                || (status == TestStatus.XFAIL && expectedFailures.contains(name));
    }

    private static boolean maintained(TestStatus status) {
        return status == TestStatus.PASSED
                || status == TestStatus.XFAIL
                || status == TestStatus.SKIPPED;
    }

    /** A test that the log does not name has failed, except where only failures are named. */
    private boolean passes(String expected, TestLog log, Predicate<TestStatus> good) {
        String name = TestNames.normalize(expected);
        Optional<TestStatus> exact = Optional.ofNullable(log.tests().get(name));
        if (exact.isPresent()) {
            return good.test(exact.get());
        }
        if (TestNames.cut(name)) {
            List<TestStatus> candidates =
                    log.tests().entrySet().stream()
                            .filter(entry -> entry.getKey().startsWith(name))
                            .map(java.util.Map.Entry::getValue)
                            .toList();
            return !candidates.isEmpty() && candidates.stream().allMatch(good);
        }
        int end = Math.max(name.lastIndexOf('.'), name.lastIndexOf('#'));
        TestStatus others = end > 0 ? log.suites().get(name.substring(0, end)) : null;
        return others == null ? failuresOnly && log.completed() : good.test(others);
    }
}
