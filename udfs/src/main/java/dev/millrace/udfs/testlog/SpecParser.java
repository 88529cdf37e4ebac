package dev.millrace.udfs.testlog;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * JavaScript runners that print a mark and a title for each test below the titles around it: jest
 * ({@code --verbose}), mocha (spec) and vitest (verbose). A test is known by its title, and by all
 * titles with {@code " > "} between.
 */
final class SpecParser implements LogParser {
    private static final Pattern MARKED =
            Pattern.compile(
                    "^(\\s*)([✓✔√✕✖✗×○◌↓□✎])\\s+(?:(skipped|todo)\\s)?(\\S.*?)(?:\\s+[\\d.]+"
                            + " ?m?s)?$");
    private static final Pattern NUMBERED = Pattern.compile("^(\\s+)\\d+\\) (\\S.*)$");
    private static final Pattern PENDING = Pattern.compile("^(\\s{2,})- (\\S.*)$");
    private static final Pattern TITLE = Pattern.compile("^(\\s{2,})(\\S.*)$");
    private static final Pattern LAST_LINE =
            Pattern.compile("^\\s*(?:\\d+ passing \\(.*\\)|Tests:?\\s+\\d+ .*)$");
    private static final Pattern LOST = Pattern.compile("^\\s*Errors\\s+\\d+ errors?$");
    private static final Pattern LOADED =
            Pattern.compile(
                    "^\\s*(?:PASS|FAIL\\s+(\\S+)|RUN)(?:\\s.*)?$|^.*Test suite failed to run$");
    private static final Pattern FELL =
            Pattern.compile(
                    "^\\s*●\\s+process\\.exit called with .*$|^\\s*Exception during run: .*$"
                            + "|^\\S+\\(\\d+,\\d+\\): error TS\\d+: .*$");

    private record Level(int indent, String title) {}

    private final Deque<Level> levels = new ArrayDeque<>();
    private final TestLog.Builder found = new TestLog.Builder();
    private boolean details;

    static LogParser parser() {
        return log -> new SpecParser().parse(log);
    }

    @Override
    public TestLog parse(String log) {
        for (String line : LogLines.of(log)) {
            Matcher loaded = LOADED.matcher(line);
            if (LAST_LINE.matcher(line).matches()) {
                found.completed(true);
                details = true;
            } else if (LOST.matcher(line).matches()) {
                found.completed(false);
            } else if (loaded.matches()) {
                loaded(loaded.group(1));
            } else if (FELL.matcher(line).matches()) {
                found.ran();
                details = true;
            } else if (line.strip().startsWith("●")) {
                details = true;
            } else if (!details) {
                report(line);
            }
        }
        return found.build();
    }

    /** A file that failed is named by its path, for some fail before any of their tests runs. */
    private void loaded(String failed) {
        found.ran();
        if (failed != null) {
            found.add(failed, TestStatus.FAILED);
        }
        details = false;
        levels.clear();
    }

    private void report(String line) {
        Matcher marked = MARKED.matcher(line);
        Matcher numbered = NUMBERED.matcher(line);
        Matcher pending = PENDING.matcher(line);
        Matcher title = TITLE.matcher(line);
        if (marked.matches()) {
            TestStatus status =
                    marked.group(3) != null ? TestStatus.SKIPPED : status(marked.group(2));
            add(marked.group(1).length(), marked.group(4), status);
        } else if (numbered.matches()) {
            add(numbered.group(1).length(), numbered.group(2), TestStatus.FAILED);
        } else if (pending.matches()) {
            add(pending.group(1).length(), pending.group(2), TestStatus.SKIPPED);
        } else if (title.matches()) {
            leave(title.group(1).length());
            levels.addLast(new Level(title.group(1).length(), title.group(2)));
        }
    }

    private void add(int indent, String title, TestStatus status) {
        leave(indent);
        String name = TestNames.normalize(title);
        found.add(name, status);
        if (!levels.isEmpty()) {
            StringJoiner full = new StringJoiner(" > ");
            levels.forEach(level -> full.add(level.title()));
            found.add(full.add(name).toString(), status);
        }
    }

    private void leave(int indent) {
        Iterator<Level> innermost = levels.descendingIterator();
        while (innermost.hasNext() && innermost.next().indent() >= indent) {
            innermost.remove();
        }
    }

    private static TestStatus status(String mark) {
        return switch (mark) {
            case "✓", "✔", "√" -> TestStatus.PASSED;
            case "✕", "✖", "✗", "×" -> TestStatus.FAILED;
            default -> TestStatus.SKIPPED;
        };
    }
}
