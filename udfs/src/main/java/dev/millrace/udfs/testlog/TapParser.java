package dev.millrace.udfs.testlog;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The Test Anything Protocol. */
final class TapParser implements LogParser {
    private static final Pattern TEST =
            Pattern.compile(
                    "^\\s*(not )?ok \\d+(?: -)?\\s+(\\S.*?)(?:\\s+# (SKIP|TODO)\\b.*)?$",
                    Pattern.CASE_INSENSITIVE);
    private static final Pattern PLAN = Pattern.compile("^1\\.\\.\\d+.*$");

    @Override
    public TestLog parse(String log) {
        TestLog.Builder found = new TestLog.Builder();
        for (String line : LogLines.of(log)) {
            Matcher test = TEST.matcher(line);
            if (test.matches()) {
                boolean skipped = test.group(3) != null;
                TestStatus done = test.group(1) == null ? TestStatus.PASSED : TestStatus.FAILED;
                found.add(test.group(2), skipped ? TestStatus.SKIPPED : done);
            } else if (PLAN.matcher(line).matches()) {
                found.completed(true);
            }
        }
        return found.build();
    }
}
