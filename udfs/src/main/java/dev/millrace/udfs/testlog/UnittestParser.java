package dev.millrace.udfs.testlog;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Python's unittest with {@code -v}, and those that print as it does: Django's runner, nose, nose2.
 * A test with a first line of documentation is known by both, its name and that line.
 */
final class UnittestParser implements LogParser {
    private static final Pattern TEST =
            Pattern.compile("^\\s*(\\S+ \\([\\w.<>]+\\))((?: \\(.*\\)| \\[.*])?)( \\.\\.\\.)?$");
    private static final Pattern HEADER =
            Pattern.compile("^(FAIL|ERROR|UNEXPECTED SUCCESS): (\\S+ \\([\\w.<>]+\\)).*$");
    private static final Pattern RAN = Pattern.compile("^Ran \\d+ tests? in [\\d.]+s$");
    private static final String DOTS = " ...";

    private final List<String> pending = new ArrayList<>();
    private final TestLog.Builder found = new TestLog.Builder();

    /** A parser of any number of logs. */
    static LogParser parser() {
        return log -> new UnittestParser().parse(log);
    }

    @Override
    public TestLog parse(String log) {
        boolean open = false;
        for (String line : LogLines.of(log)) {
            TestStatus alone = status(line);
            Matcher header = HEADER.matcher(line);
            int dots = line.indexOf(DOTS);
            if (open && alone != null) {
                end(alone);
                open = false;
            } else if (header.matches()) {
                found.add(header.group(2), headerStatus(header.group(1)));
            } else if (RAN.matcher(line).matches()) {
                found.completed(true);
            } else if (dots > 0) {
                open = test(line.substring(0, dots), line.substring(dots + DOTS.length()).strip());
            } else if (TEST.matcher(line).matches()) {
                pending.clear();
                pending.add(id(line));
                found.ran();
            }
        }
        return found.build();
    }

    private boolean test(String name, String rest) {
        Matcher test = TEST.matcher(name);
        if (test.matches()) {
            pending.clear();
            pending.add(test.group(1));
            found.ran();
        } else {
            pending.add(name.strip());
        }
        TestStatus status = status(rest);
        if (status == null) {
            return test.matches() || pending.size() > 1;
        }
        end(status);
        return false;
    }

    private void end(TestStatus status) {
        pending.forEach(name -> found.add(name, status));
        pending.clear();
    }

    private static String id(String line) {
        Matcher test = TEST.matcher(line);
        return test.matches() ? test.group(1) : line.strip();
    }

    private static TestStatus headerStatus(String word) {
        return switch (word) {
            case "FAIL" -> TestStatus.FAILED;
            case "ERROR" -> TestStatus.ERROR;
            default -> TestStatus.XPASS;
        };
    }

    private static TestStatus status(String text) {
        return switch (text) {
            case "ok", "OK" -> TestStatus.PASSED;
            case "FAIL" -> TestStatus.FAILED;
            case "ERROR" -> TestStatus.ERROR;
            case "expected failure" -> TestStatus.XFAIL;
            case "unexpected success" -> TestStatus.XPASS;
            default ->
                    text.startsWith("skipped ") || text.startsWith("SKIP")
                            ? TestStatus.SKIPPED
                            : null;
        };
    }
}
