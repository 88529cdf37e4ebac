package dev.millrace.udfs.testlog;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Gradle's own test logging, on a plain or a rich console. What tests print is indented there, so
 * that it is no result. A test whose process is gone is not named.
 */
final class GradleParser implements LogParser {
    private static final Pattern TEST =
            Pattern.compile(
                    "^([^\\s>:<].* > .*\\S) (PASSED|FAILED|SKIPPED)(?: \\([\\d.]+ ?m?s\\))?$");
    private static final Pattern DONE =
            Pattern.compile("^\\d+ tests? completed(?:, .*)?$|^BUILD SUCCESSFUL.*$");
    private static final Pattern NOT_COMPILED =
            Pattern.compile("^> Compilation (?:failed; see the compiler|error\\. See log).*$");

    @Override
    public TestLog parse(String log) {
        TestLog.Builder found = new TestLog.Builder();
        for (String line : LogLines.of(log)) {
            Matcher test = TEST.matcher(line);
            if (test.matches()) {
                found.add(test.group(1), TestStatus.valueOf(test.group(2)));
            } else if (DONE.matcher(line).matches()) {
                found.completed(true);
            } else if (NOT_COMPILED.matcher(line).matches()) {
                found.ran();
            }
        }
        return found.build();
    }
}
