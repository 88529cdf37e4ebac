package dev.millrace.backends.dataset;

import dev.millrace.udfs.dataset.DatasetRow;
import dev.millrace.udfs.dataset.DiffPaths;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The scripts of a converted task. They stand on their own: any runner of Harbor tasks can use
 * them.
 */
final class TaskScripts {
    private static final String GRADER = resource("grade.py");
    private static final String TEST = resource("test.sh");
    private static final String SOLVE = resource("solve.sh");

    private TaskScripts() {}

    static String grader() {
        return GRADER;
    }

    static String test(DatasetRow row) {
        List<String> paths = DiffPaths.of(row.testPatch());
        return TEST.replace("@WORKDIR@", quote(row.workdir()))
                .replace("@BASE@", row.baseCommit())
                .replace(
                        "@FILES@",
                        paths.stream().map(TaskScripts::quote).collect(Collectors.joining(" ")))
                .replace("@TEST_COMMAND@", row.testCommand());
    }

    static String solve(DatasetRow row) {
        return SOLVE.replace("@WORKDIR@", quote(row.workdir()));
    }

    /** As one word of a shell. */
    static String quote(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }

    private static String resource(String name) {
        try (InputStream in = TaskScripts.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
