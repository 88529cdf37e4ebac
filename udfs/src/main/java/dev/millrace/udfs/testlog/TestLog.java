package dev.millrace.udfs.testlog;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a test runner reported.
 *
 * @param tests by name, without timings
 * @param suites that ran to their end and name only tests that did not pass, each with the status
 *     that its other tests have at worst: passed, or skipped where some were
 * @param ran whether there is any sign that the runner ran
 * @param completed whether the runner came to its own end
 */
public record TestLog(
        Map<String, TestStatus> tests,
        Map<String, TestStatus> suites,
        boolean ran,
        boolean completed) {

    /** Whether any test failed. */
    public boolean anyBad() {
        return tests.values().stream().anyMatch(TestStatus::bad);
    }

    /** Collects what a parser finds. A test that is reported twice has the worse status. */
    static final class Builder {
        private final Map<String, TestStatus> tests = new LinkedHashMap<>();
        private final Map<String, TestStatus> suites = new LinkedHashMap<>();
        private boolean ran;
        private boolean completed;

        void add(String name, TestStatus status) {
            String normal = TestNames.normalize(name);
            if (!normal.isEmpty()) {
                tests.merge(normal, status, TestStatus::worse);
                ran = true;
            }
        }

        void suite(String name, TestStatus others) {
            suites.put(name, others);
            ran = true;
        }

        /** It failed as a whole, so that nothing is known about its tests. */
        void noSuite(String name) {
            suites.remove(name);
        }

        void ran() {
            ran = true;
        }

        void completed(boolean now) {
            completed = now;
            ran |= now;
        }

        TestLog build() {
            return new TestLog(
                    Collections.unmodifiableMap(tests),
                    Collections.unmodifiableMap(suites),
                    ran,
                    completed);
        }
    }
}
