package dev.millrace.backends.repair;

import dev.millrace.backends.harbor.HarborTask;
import dev.millrace.backends.harbor.HarborTaskLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A small repository with a fault, its tests and repairs of several kinds. */
final class RepairTask {
    static final String GOLD = change("return a - b", "return a + b");
    static final String WRONG = change("return a - b", "return a * b + 1");
    static final String BREAKS_ANOTHER =
            """
            diff --git a/sums.py b/sums.py
            --- a/sums.py
            +++ b/sums.py
            @@ -1,5 +1,5 @@
             def add(a, b):
            -    return a - b
            +    return a + b


             def negate(a):
            @@ -6 +6 @@
            -    return -a
            +    return a
            """;
    static final String TEST_PATCH =
            """
            diff --git a/tests/test_sums.py b/tests/test_sums.py
            --- a/tests/test_sums.py
            +++ b/tests/test_sums.py
            @@ -6,3 +6,6 @@
             class Sums(unittest.TestCase):
                 def test_negates(self):
                     self.assertEqual(-2, sums.negate(2))
            +
            +    def test_adds(self):
            +        self.assertEqual(5, sums.add(2, 3))
            """;
    private static final String CONFIG =
            """
            {"FAIL_TO_PASS": "[\\"test_adds (tests.test_sums.Sums.test_adds)\\"]",
             "PASS_TO_PASS": ["test_negates (tests.test_sums.Sums.test_negates)"],
             "test_cmd": "%s", "log_parser": "parse_log_unittest"}
            """;
    static final String COMMAND = "python3 -m unittest -v tests.test_sums";

    private final Path folder;

    private RepairTask(Path folder) {
        this.folder = folder;
    }

    static RepairTask in(Path folder) throws IOException {
        return new RepairTask(folder)
                .with("task.toml", "[environment]\nworkdir = \"/repo\"\nallow_internet = false\n")
                .with("instruction.md", "add() is wrong.\n")
                .with("environment/sums.py", original())
                .with("environment/tests/__init__.py", "")
                .with("environment/tests/test_sums.py", tests())
                .with("tests/test.sh", "#!/bin/sh\n")
                .with("tests/test.patch", TEST_PATCH)
                .with("tests/config.json", CONFIG.formatted(COMMAND))
                .with("solution/solve.sh", "#!/bin/sh\n")
                .with("solution/solution.patch", GOLD);
    }

    RepairTask withCommand(String command) throws IOException {
        return with("tests/config.json", CONFIG.formatted(command));
    }

    RepairTask with(String path, String content) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
        return this;
    }

    HarborTask load() throws Exception {
        return new HarborTaskLoader().load(folder);
    }

    static String original() {
        return "def add(a, b):\n    return a - b\n\n\ndef negate(a):\n    return -a\n";
    }

    static String tests() {
        return """
        import unittest

        import sums


        class Sums(unittest.TestCase):
            def test_negates(self):
                self.assertEqual(-2, sums.negate(2))
        """;
    }

    static String change(String from, String to) {
        String diff =
                """
                diff --git a/sums.py b/sums.py
                --- a/sums.py
                +++ b/sums.py
                @@ -1,3 +1,3 @@
                 def add(a, b):
                -    %s
                +    %s
                \s
                """;
        return diff.formatted(from, to);
    }
}
