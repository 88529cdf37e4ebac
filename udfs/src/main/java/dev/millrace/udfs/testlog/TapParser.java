package dev.millrace.udfs.testlog;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Test Anything Protocol. A test is known by its description, and with the dash in front of it.
 */
final class TapParser implements LogParser {
    private static final Pattern TEST =
            Pattern.compile(
                    "^\\s*(not )?ok \\d+( -)?\\s+(\\S.*?)(?:\\s+# (SKIP|TODO)\\b.*)?$",
                    Pattern.CASE_INSENSITIVE);
    private static final Pattern PLAN = Pattern.compile("^1\\.\\.\\d+.*$");
    private static final Pattern VERSION = Pattern.compile("^TAP version \\d+$");

    @Override
    public TestLog parse(String log) {
        TestLog.Builder found = new TestLog.Builder();
        for (String line : LogLines.of(log)) {
            Matcher test = TEST.matcher(line);
            if (test.matches()) {
                add(found, test);
            } else if (PLAN.matcher(line).matches()) {
                found.completed(true);
            } else if (VERSION.matcher(line).matches()) {
                found.ran();
            }
        }
        return found.build();
    }

    private static void add(TestLog.Builder found, Matcher test) {
        boolean skipped = test.group(4) != null;
        TestStatus done = test.group(1) == null ? TestStatus.PASSED : TestStatus.FAILED;
        TestStatus status = skipped ? TestStatus.SKIPPED : done;
        found.add(test.group(3).replace("\\#", "#"), status);
        if (test.group(2) != null) {
            found.add("- " + test.group(3), status);
        }
    }
}
