package dev.millrace.udfs.testlog;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * SymPy's own runner with {@code --verbose}: the name of a test, what it prints, and a word or
 * letter for how it ended.
 */
final class SympyParser implements LogParser {
    private static final Pattern TEST = Pattern.compile("^(test_\\w+)(?: (.*))?$");
    private static final Pattern END = Pattern.compile("^(?:.* )?(\\w+)(?:\\s+\\[(?:OK|FAIL)])?$");
    private static final Pattern BEGUN = Pattern.compile("^=+ test process starts =+$");
    private static final Pattern DONE = Pattern.compile("^=* ?tests finished: .*$");
    private static final Map<String, TestStatus> STATUSES =
            Map.of(
                    "ok", TestStatus.PASSED,
                    "f", TestStatus.XFAIL,
                    "X", TestStatus.XPASS,
                    "s", TestStatus.SKIPPED,
                    "w", TestStatus.SKIPPED,
                    "F", TestStatus.FAILED,
                    "K", TestStatus.FAILED,
                    "E", TestStatus.ERROR);

    private final TestLog.Builder found = new TestLog.Builder();
    private String pending;

    static LogParser parser() {
        return log -> new SympyParser().parse(log);
    }

    @Override
    public TestLog parse(String log) {
        for (String line : LogLines.of(log)) {
            Matcher test = TEST.matcher(line);
            if (test.matches()) {
                pending = test.group(1);
                end(test.group(2) == null ? "" : test.group(2));
            } else if (BEGUN.matcher(line).matches()) {
                found.ran();
            } else if (DONE.matcher(line.strip()).matches()) {
                found.completed(true);
            } else {
                end(line);
            }
        }
        return found.build();
    }

    private void end(String text) {
        Matcher end = END.matcher(text);
        if (pending != null && end.matches() && STATUSES.containsKey(end.group(1))) {
            found.add(pending, STATUSES.get(end.group(1)));
            pending = null;
        }
    }
}
