package dev.millrace.udfs.testlog;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * pytest, in any verbosity: its summary ({@code -rA}), its lines per test ({@code -v}), also with
 * output in between ({@code -s}), and those of pytest-xdist.
 */
final class PytestParser implements LogParser {
    private static final String STATUS = "(PASSED|FAILED|SKIPPED|ERROR|XFAIL|XPASS)";
    private static final String END = "(?: \\(.*\\))?(?:\\s+\\[\\s*\\d+%\\])?";
    private static final Pattern SUMMARY = Pattern.compile("^" + STATUS + "\\s+(\\S.*)$");
    private static final Pattern ALONE = Pattern.compile("^" + STATUS + END + "$");
    private static final Pattern AT_END = Pattern.compile(STATUS + END + "$");
    private static final Pattern WORKER =
            Pattern.compile("^\\[gw\\d+]\\s+\\[\\s*\\d+%]\\s+" + STATUS + "\\s+(\\S.*)$");
    private static final Pattern TEST =
            Pattern.compile("^([^\\s:\\[]+::[^\\s\\[]+(?:\\[.*?\\](?=\\s|$))?)(?:\\s+(.*))?$");
    private static final Pattern PATH_PARAMETER = Pattern.compile("^(.*\\[)(/[^/*][^*]*)(].*)$");
    private static final Pattern LAST_LINE =
            Pattern.compile(
                    "^=*\\s*((\\d+ \\w+(, )?)+|no tests ran) in [\\d.]+s( \\(.*\\))?\\s*=*$");
    private static final Pattern BEGUN =
            Pattern.compile("^=+ test session starts =+$|^(collecting .*)?collected \\d+ items?.*");

    private final boolean shortPaths;

    /**
     * @param shortPaths whether a parameter that is an absolute path is named by its last part
     */
    PytestParser(boolean shortPaths) {
        this.shortPaths = shortPaths;
    }

    @Override
    public TestLog parse(String log) {
        TestLog.Builder found = new TestLog.Builder();
        String pending = null;
        for (String line : LogLines.of(log)) {
            Matcher alone = ALONE.matcher(line);
            Matcher worker = WORKER.matcher(line);
            Matcher summary = SUMMARY.matcher(line);
            Matcher test = TEST.matcher(line);
            if (alone.matches()) {
                if (pending != null) {
                    add(found, pending, alone.group(1));
                    pending = null;
                }
            } else if (worker.matches()) {
                add(found, worker.group(2), worker.group(1));
            } else if (summary.matches()) {
                summary(found, summary.group(1), summary.group(2));
            } else if (test.matches()) {
                pending = line(found, test);
            } else {
                frame(found, line);
            }
        }
        return found.build();
    }

    private String line(TestLog.Builder found, Matcher test) {
        String rest = test.group(2) == null ? "" : test.group(2);
        Matcher end = AT_END.matcher(rest);
        found.ran();
        if (end.find()) {
            add(found, test.group(1), end.group(1));
            return null;
        }
        return test.group(1);
    }

    private void summary(TestLog.Builder found, String status, String rest) {
        // "SKIPPED [3] file:line" counts tests and names none.
        if (!rest.startsWith("[")) {
            add(found, name(rest), status);
        }
    }

    /** The id in front of a reason; it may hold blanks and dashes only among its parameters. */
    private static String name(String rest) {
        int bracket = rest.indexOf('[');
        int dash = rest.indexOf(" - ");
        int blank = rest.indexOf(' ');
        if (bracket < 0 || (blank >= 0 && blank < bracket)) {
            return dash >= 0
                    ? rest.substring(0, dash)
                    : blank < 0 ? rest : rest.substring(0, blank);
        }
        int close = rest.indexOf("] - ");
        if (close >= 0) {
            return rest.substring(0, close + 1);
        }
        return rest.endsWith("]") || dash < 0 ? rest : rest.substring(0, dash);
    }

    private void add(TestLog.Builder found, String id, String status) {
        String name = id;
        if (shortPaths) {
            Matcher path = PATH_PARAMETER.matcher(id);
            if (path.matches()) {
                String last = path.group(2).substring(path.group(2).lastIndexOf('/'));
                name = path.group(1) + last + path.group(3);
            }
        }
        found.add(name, TestStatus.valueOf(status));
    }

    private static void frame(TestLog.Builder found, String line) {
        if (BEGUN.matcher(line).matches()) {
            found.ran();
        } else if (LAST_LINE.matcher(line).matches()) {
            found.completed(true);
        }
    }
}
