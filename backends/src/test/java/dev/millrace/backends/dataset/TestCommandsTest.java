package dev.millrace.backends.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.udfs.testlog.LogParsers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestCommandsTest {
    private static final String PATCH =
            """
            diff --git a/tests/one/test_a.py b/tests/one/test_a.py
            --- a/tests/one/test_a.py
            +++ b/tests/one/test_a.py
            @@ -1 +1 @@
            -a
            +b
            diff --git a/tests/gone.py b/tests/gone.py
            deleted file mode 100644
            --- a/tests/gone.py
            +++ /dev/null
            @@ -1 +0,0 @@
            -a
            diff --git a/tests/data.json b/tests/data.json
            new file mode 100644
            diff --git a/tests/it's.py b/tests/it's.py
            new file mode 100644
            """;
    private static final String CASES =
            """
            diff --git a/test-data/unit/check-a.test b/test-data/unit/check-a.test
            --- a/test-data/unit/check-a.test
            +++ b/test-data/unit/check-a.test
            @@ -1 +1,4 @@
             [case testOld]
            +[case testNew]
            +[out]
            """;

    @TempDir Path folder;

    private static String command(String repo, String version, String patch) {
        return TestCommands.known().of(repo, version, patch).orElseThrow().command();
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("commands.json"), text);
    }

    @Test
    void filesThatAreLeftAndMayHoldTestsAreRun() {
        assertThat(command("pallets/flask", "2.3", PATCH))
                .isEqualTo("pytest -rA 'tests/one/test_a.py' 'tests/it'\\''s.py'");
    }

    @Test
    void aVersionMayHaveACommandOfItsOwn() {
        assertThat(command("astropy/astropy", "1.3", PATCH)).contains("classic");
        assertThat(command("astropy/astropy", "5.1", PATCH)).doesNotContain("classic");
        assertThat(command("django/django", "1.9", PATCH)).doesNotContain("test_sqlite");
    }

    @Test
    void djangoNamesModules() {
        assertThat(command("django/django", "4.0", PATCH))
                .endsWith("--parallel 1 'one.test_a' 'it'\\''s'");
    }

    @Test
    void mypyNamesCasesOfItsDataFiles() {
        assertThat(command("python/mypy", "0.920", CASES))
                .isEqualTo("pytest -n auto -rA -k 'testOld or testNew'");
        assertThat(TestCommands.known().of("python/mypy", "0.920", PATCH)).isEmpty();
    }

    @Test
    void repositoriesAreKnownInAnyCase() {
        assertThat(command("project-monai/monai", "1.0", PATCH)).startsWith("pytest -n auto -rA");
        assertThat(TestCommands.known().of("some/other", "1.0", PATCH)).isEmpty();
    }

    @Test
    void allParsersThatAreNamedExist() throws IOException {
        String text;
        try (var in = TestCommands.class.getResourceAsStream("test-commands.json")) {
            text = new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        }
        RowLine.JSON
                .readTree(text)
                .forEach(
                        entry ->
                                assertThat(LogParsers.names())
                                        .contains(entry.path("parser").asText("parse_log_pytest")));
    }

    @Test
    void whatAPersonSaysComesFirst() throws Exception {
        Path said =
                file(
                        """
                        [{"repo": "some/other", "versions": ["1.0"], "command": "make t"},
                         {"repo": "pallets/flask", "command": "tox -- {files} -q", "parser": "x"}]
                        """);
        TestCommands commands = TestCommands.from(said);
        assertThat(commands.of("some/other", "1.0", PATCH).orElseThrow().command())
                .isEqualTo("make t 'tests/one/test_a.py' 'tests/it'\\''s.py'");
        assertThat(commands.of("some/other", "2.0", PATCH)).isEmpty();
        assertThat(commands.of("pallets/flask", "2.0", PATCH).orElseThrow().parser())
                .isEqualTo("x");
        assertThat(commands.of("psf/requests", "2.0", PATCH)).isPresent();
    }

    @Test
    void saysWhatIsWrongWithAFile() throws IOException {
        Path noJson = file("[{");
        assertThatThrownBy(() -> TestCommands.from(noJson))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining("commands.json is no JSON");
        Path noList = file("{}");
        assertThatThrownBy(() -> TestCommands.from(noList))
                .hasMessageContaining("a list is expected, of objects with 'repo' and 'command'");
        Path incomplete = file("[{\"repo\": \"a/b\", \"command\": \"x\"}, {\"repo\": \"a/b\"}]");
        assertThatThrownBy(() -> TestCommands.from(incomplete))
                .hasMessageEndingWith("entry 2: 'command' is missing");
    }
}
