package dev.millrace.udfs.testlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PytestParserTest {
    private static final String FILE = "tests/test_sample.py::";

    private static TestLog parsed(String sample) {
        return Samples.parsed("parse_log_pytest", sample);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pytest-rA", "pytest-v-color", "pytest-v-s", "pytest-xdist", "tox"})
    void readsEveryVerbosityAlike(String sample) {
        TestLog log = parsed(sample);
        assertThat(log.completed()).isTrue();
        assertThat(log.tests())
                .contains(
                        entry(FILE + "test_adds", TestStatus.PASSED),
                        entry(FILE + "test_fails", TestStatus.FAILED),
                        entry(FILE + "test_known", TestStatus.XFAIL),
                        entry(FILE + "test_mended", TestStatus.XPASS),
                        entry(FILE + "test_error", TestStatus.ERROR),
                        entry(FILE + "test_param[select a]", TestStatus.PASSED),
                        entry(FILE + "test_param[select b]", TestStatus.FAILED),
                        entry(FILE + "test_param[x/y]", TestStatus.PASSED),
                        entry(FILE + "test_param[/tmp/deep/file.txt]", TestStatus.PASSED),
                        entry(FILE + "test_param[[z]]", TestStatus.PASSED),
                        entry(FILE + "TestGroup::test_inner", TestStatus.PASSED));
        assertThat(log.tests().keySet()).allMatch(name -> name.startsWith(FILE));
    }

    @Test
    void skippedTestsAreNamedByVerboseRunsOnly() {
        assertThat(parsed("pytest-rA").tests()).doesNotContainKey(FILE + "test_skipped");
        assertThat(parsed("pytest-xdist").tests())
                .containsEntry(FILE + "test_skipped", TestStatus.SKIPPED);
    }

    @Test
    void aCrashLeavesTheRestWithoutResult() {
        TestLog log = parsed("pytest-crash");
        assertThat(log.ran()).isTrue();
        assertThat(log.completed()).isFalse();
        assertThat(log.tests())
                .containsOnly(entry("tests/test_crash.py::test_before", TestStatus.PASSED));
    }

    @Test
    void aModuleThatCanNotBeLoadedIsAnError() {
        TestLog log = parsed("pytest-q-broken");
        assertThat(log.tests()).containsOnly(entry("tests/test_broken.py", TestStatus.ERROR));
        assertThat(log.completed()).isTrue();
    }

    @Test
    void shortensPathsOnlyWhereTheDatasetDoes() {
        assertThat(Samples.parsed("parse_log_pytest_options", "pytest-rA").tests())
                .containsKey(FILE + "test_param[/file.txt]")
                .containsKey(FILE + "test_param[x/y]");
    }

    @Test
    void nothingAtAllIsNoRun() {
        assertThat(parsed("cargo").ran()).isFalse();
        assertThat(LogParsers.named("parse_log_pytest").orElseThrow().parse("").ran()).isFalse();
    }
}
