package dev.millrace.backends.harbor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a configuration file of a Python project tells the test runner. Read by lines and not by the
 * format: whatever names the runner counts, in any spelling of its section.
 */
final class TestSections {
    private static final String RUNNER = "pytest";

    private TestSections() {}

    /** Lines of sections about the runner, and lines elsewhere that name one of its settings. */
    static List<String> of(String text) {
        List<String> found = new ArrayList<>();
        boolean inside = false;
        for (String line : text.lines().toList()) {
            String stripped = line.strip();
            String lower = stripped.toLowerCase(Locale.ROOT);
            boolean header = stripped.startsWith("[") && !line.startsWith(" ");
            if (header) {
                inside = lower.contains(RUNNER) || lower.equals("[tool]");
            }
            boolean setting = lower.contains("ini_options") || lower.contains("addopts");
            if (!stripped.isEmpty() && (inside || setting)) {
                found.add(stripped);
            }
        }
        return found;
    }
}
