package dev.millrace.udfs.testlog;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code cargo test}, also with {@code --nocapture}. A test that began and has no result when the
 * program ends has failed.
 */
final class CargoTestParser implements LogParser {
    private static final Pattern TEST = Pattern.compile("^test (\\S.*?) \\.\\.\\.(?: (.*))?$");
    private static final Pattern LISTED = Pattern.compile("^ {4}(\\S.*)$");
    private static final String PANICS = " - should panic";

    private final TestLog.Builder found = new TestLog.Builder();
    private String pending;
    private boolean listing;

    static LogParser parser() {
        return log -> new CargoTestParser().parse(log);
    }

    @Override
    public TestLog parse(String log) {
        for (String line : LogLines.of(log)) {
            line(line);
        }
        failPending();
        return found.build();
    }

    private void line(String line) {
        Matcher test = TEST.matcher(line);
        Matcher listed = LISTED.matcher(line);
        if (test.matches()) {
            failPending();
            pending = test.group(1).replace(PANICS, "");
            end(test.group(2) == null ? "" : test.group(2));
        } else if (pending != null && status(line) != null) {
            end(line);
        } else if (line.startsWith("running ") || line.startsWith("error: could not compile")) {
            failPending();
            found.ran();
        } else if (line.startsWith("test result: ")) {
            failPending();
            found.completed(true);
            listing = false;
        } else if (line.equals("failures:")) {
            listing = true;
        } else if (listing && listed.matches()) {
            failed(listed.group(1));
        } else if (!line.isEmpty()) {
            listing = false;
        }
    }

    /** Names that are no test's come from what tests print in a section of the same title. */
    private void failed(String name) {
        if (found.build().tests().containsKey(name)) {
            found.add(name, TestStatus.FAILED);
        }
    }

    private void end(String text) {
        TestStatus status = status(text);
        if (status != null) {
            found.add(pending, status);
            pending = null;
        }
    }

    private void failPending() {
        if (pending != null) {
            found.add(pending, TestStatus.FAILED);
            pending = null;
        }
    }

    private static TestStatus status(String text) {
        if (text.equals("ok")) {
            return TestStatus.PASSED;
        }
        if (text.equals("FAILED")) {
            return TestStatus.FAILED;
        }
        return text.equals("ignored") || text.startsWith("ignored, ") ? TestStatus.SKIPPED : null;
    }
}
