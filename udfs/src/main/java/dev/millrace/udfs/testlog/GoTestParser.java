package dev.millrace.udfs.testlog;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code go test}, with {@code -v} or {@code -json}. A test that began and has no result when the
 * program ends has failed.
 */
final class GoTestParser implements LogParser {
    private static final Pattern RESULT =
            Pattern.compile("--- (PASS|FAIL|SKIP): (\\S+) \\([\\d.]+s\\)$");
    private static final Pattern BEGUN = Pattern.compile("^=== RUN\\s+(\\S+)$");
    private static final Pattern PACKAGE =
            Pattern.compile("^(?:ok|FAIL)\\s+\\S+\\s+(?:[\\d.]+s|\\(cached\\)).*$");
    private static final Pattern BROKEN =
            Pattern.compile("^FAIL\\s+\\S+ \\[(?:build|setup) failed]$");
    private static final Pattern JSON =
            Pattern.compile(
                    "^\\{.*\"Action\":\"(run|pass|fail|skip)\".*\"Test\":\"((?:[^\"\\\\]|\\\\.)*)\".*}$");

    @Override
    public TestLog parse(String log) {
        TestLog.Builder found = new TestLog.Builder();
        Set<String> open = new LinkedHashSet<>();
        for (String line : LogLines.of(log)) {
            Matcher json = JSON.matcher(line);
            if (json.matches()) {
                String name = json.group(2).replace("\\\"", "\"").replace("\\\\", "\\");
                take(found, open, json.group(1), name);
                continue;
            }
            Matcher result = RESULT.matcher(line);
            Matcher begun = BEGUN.matcher(line);
            if (result.find()) {
                take(found, open, result.group(1), result.group(2));
            } else if (begun.matches()) {
                take(found, open, "run", begun.group(1));
            } else if (PACKAGE.matcher(line).matches()) {
                found.completed(true);
                fail(found, open);
            } else if (BROKEN.matcher(line).matches()) {
                found.ran();
            }
        }
        fail(found, open);
        return found.build();
    }

    private static void take(TestLog.Builder found, Set<String> open, String action, String name) {
        switch (action) {
            case "run" -> open.add(name);
            case "PASS", "pass" -> end(found, open, name, TestStatus.PASSED);
            case "SKIP", "skip" -> end(found, open, name, TestStatus.SKIPPED);
            default -> end(found, open, name, TestStatus.FAILED);
        }
    }

    private static void end(
            TestLog.Builder found, Set<String> open, String name, TestStatus status) {
        open.remove(name);
        found.add(name, status);
    }

    private static void fail(TestLog.Builder found, Set<String> open) {
        open.forEach(name -> found.add(name, TestStatus.FAILED));
        open.clear();
    }
}
