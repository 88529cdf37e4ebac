package dev.millrace.udfs.testlog;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * What a test runner reported.
 *
 * @param tests by name, without timings
 * @param suites that ran to their end and name only tests that did not pass
 * @param ran whether there is any sign that the runner ran
 * @param completed whether the runner came to its own end
 */
public record TestLog(
        Map<String, TestStatus> tests, Set<String> suites, boolean ran, boolean completed) {

    /** Whether any test failed. */
    public boolean anyBad() {
        return tests.values().stream().anyMatch(TestStatus::bad);
    }

    /** Collects what a parser finds. A test that is reported twice has the worse status. */
    static final class Builder {
        private final Map<String, TestStatus> tests = new LinkedHashMap<>();
        private final Set<String> suites = new LinkedHashSet<>();
        private boolean ran;
        private boolean completed;

        void add(String name, TestStatus status) {
            String normal = TestNames.normalize(name);
            if (!normal.isEmpty()) {
                tests.merge(normal, status, TestStatus::worse);
                ran = true;
            }
        }

        void suite(String name) {
            suites.add(name);
            ran = true;
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
                    Collections.unmodifiableSet(suites),
                    ran,
                    completed);
        }
    }
}
