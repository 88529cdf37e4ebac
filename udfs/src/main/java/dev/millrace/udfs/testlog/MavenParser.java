package dev.millrace.udfs.testlog;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Maven's Surefire and Failsafe. They name classes, and of the methods only those that did not
 * pass. A class that began and has no summary has failed: its process is gone. Of a class that
 * fails as a whole, in what comes before all its tests for instance, no test is known.
 */
final class MavenParser implements LogParser {
    private static final String LEVEL = "^(?:\\[(?:INFO|ERROR|WARNING)\\] )?";
    private static final Pattern RUNNING = Pattern.compile(LEVEL + "Running (\\S+)$");
    private static final Pattern SUMMARY =
            Pattern.compile(
                    LEVEL
                            + "Tests run: (\\d+), Failures: (\\d+), Errors: (\\d+), Skipped:"
                            + " (\\d+), Time elapsed: .*? (?:--?|in) (?:in )?(\\S+)$");
    private static final Pattern METHOD =
            Pattern.compile(
                    LEVEL
                            + "(\\S.*?)(?:\\((\\S+)\\))?\\s+(?:-- )?Time elapsed: .*<<<"
                            + " (FAILURE|ERROR)!$");
    private static final Pattern TOTAL =
            Pattern.compile(
                    LEVEL + "Tests run: \\d+, Failures: \\d+, Errors: \\d+, Skipped: \\d+$");
    private static final Pattern STOPPED =
            Pattern.compile("^\\[ERROR\\] COMPILATION ERROR :.*$|^\\[INFO\\] BUILD FAILURE$");

    private final TestLog.Builder found = new TestLog.Builder();
    private final Set<String> open = new LinkedHashSet<>();

    static LogParser parser() {
        return log -> new MavenParser().parse(log);
    }

    @Override
    public TestLog parse(String log) {
        for (String line : LogLines.of(log)) {
            line(line);
        }
        open.forEach(name -> found.add(name, TestStatus.FAILED));
        if (!open.isEmpty()) {
            found.completed(false);
        }
        return found.build();
    }

    private void line(String line) {
        Matcher running = RUNNING.matcher(line);
        Matcher summary = SUMMARY.matcher(line);
        Matcher method = METHOD.matcher(line);
        if (running.matches()) {
            open.add(running.group(1));
            found.ran();
        } else if (summary.matches()) {
            suite(summary);
        } else if (method.matches()) {
            String inClass = method.group(2) == null ? "" : method.group(2) + ".";
            found.noSuite(method.group(1));
            found.add(
                    inClass + method.group(1),
                    method.group(3).equals("ERROR") ? TestStatus.ERROR : TestStatus.FAILED);
        } else if (TOTAL.matcher(line).matches()) {
            found.completed(true);
        } else if (STOPPED.matcher(line).matches()) {
            found.ran();
        }
    }

    private void suite(Matcher summary) {
        String name = summary.group(5);
        open.remove(name);
        int run = Integer.parseInt(summary.group(1));
        int bad = Integer.parseInt(summary.group(2)) + Integer.parseInt(summary.group(3));
        int skipped = Integer.parseInt(summary.group(4));
        if (bad > 0) {
            found.add(name, TestStatus.FAILED);
        } else {
            found.add(name, run == skipped ? TestStatus.SKIPPED : TestStatus.PASSED);
        }
        if (run > skipped) {
            found.suite(name, skipped > 0 ? TestStatus.SKIPPED : TestStatus.PASSED);
        }
    }
}
