package dev.millrace.udfs.testlog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.udfs.testlog.TestVerdict.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TestVerdictTest {
    private static final String FILE = "tests/test_sample.py::";

    private static TestVerdict judged(TestExpectation expected, String sample, int exitCode) {
        return TestVerdict.of(expected, Samples.parsed("parse_log_pytest", sample), exitCode);
    }

    private static TestVerdict judged(
            List<String> failToPass, List<String> passToPass, String sample, int exitCode) {
        return judged(TestExpectation.of(failToPass, passToPass), sample, exitCode);
    }

    private static TestLog log(Map<String, TestStatus> tests) {
        return new TestLog(tests, Map.of(), true, true);
    }

    @Test
    void otherTestsMayFail() {
        TestVerdict verdict =
                judged(
                        List.of(FILE + "test_adds"),
                        List.of(FILE + "TestGroup::test_inner", FILE + "test_known"),
                        "pytest-rA",
                        1);
        assertThat(verdict.outcome()).isEqualTo(Outcome.RESOLVED);
    }

    @Test
    void oneBrokenTestIsEnough() {
        TestVerdict verdict =
                judged(List.of(FILE + "test_adds"), List.of(FILE + "test_fails"), "pytest-rA", 1);
        assertThat(verdict.outcome()).isEqualTo(Outcome.UNRESOLVED);
        assertThat(verdict.broken()).containsExactly(FILE + "test_fails");
    }

    @Test
    void aSkippedTestIsMaintainedButNotRepaired() {
        List<String> skipped = List.of(FILE + "test_skipped");
        assertThat(judged(skipped, List.of(), "pytest-xdist", 1).notRepaired()).isEqualTo(skipped);
        assertThat(judged(List.of(FILE + "test_adds"), skipped, "pytest-xdist", 1).outcome())
                .isEqualTo(Outcome.RESOLVED);
    }

    @Test
    void aTestThatTheLogDoesNotNameHasFailed() {
        assertThat(judged(List.of("no/such.py::test"), List.of(), "pytest-rA", 1).outcome())
                .isEqualTo(Outcome.UNRESOLVED);
    }

    @Test
    void anExpectedFailureIsNoRepairUnlessTheReferenceHasIt() {
        List<String> known = List.of(FILE + "test_known");
        assertThat(judged(known, List.of(), "pytest-rA", 1).outcome())
                .isEqualTo(Outcome.UNRESOLVED);
        TestExpectation expected = new TestExpectation(known, List.of(), Set.copyOf(known), false);
        assertThat(judged(expected, "pytest-rA", 1).outcome()).isEqualTo(Outcome.RESOLVED);
    }

    @Test
    void aCutNameStandsForAllThatBeginSoIfTheyAgree() {
        String cut = FILE + "test_param[select";
        assertThat(judged(List.of(cut), List.of(), "pytest-rA", 1).outcome())
                .isEqualTo(Outcome.UNRESOLVED);
        TestLog agreed =
                log(
                        Map.of(
                                FILE + "test_param[select a]", TestStatus.PASSED,
                                FILE + "test_param[select b]", TestStatus.PASSED,
                                FILE + "test_param[x/y]", TestStatus.FAILED));
        assertThat(TestVerdict.of(TestExpectation.of(List.of(cut), List.of()), agreed, 1).outcome())
                .isEqualTo(Outcome.RESOLVED);
    }

    @Test
    void timingsAreNoPartOfAName() {
        TestLog timed = log(Map.of(TestNames.normalize("adds (12 ms)"), TestStatus.PASSED));
        for (String name : List.of("adds [1.3 ms]", "adds (0.12s)", "adds in 29.08 msec")) {
            assertThat(
                            TestVerdict.of(TestExpectation.of(List.of(name), List.of()), timed, 0)
                                    .outcome())
                    .isEqualTo(Outcome.RESOLVED);
        }
    }

    @Test
    void whereOnlyFailuresAreNamedTheRestPassedIfTheRunCameToItsEnd() {
        TestExpectation expected =
                new TestExpectation(
                        List.of(FILE + "test_adds"), List.of(FILE + "test_fails"), Set.of(), true);
        TestVerdict verdict = judged(expected, "pytest-failures-only", 1);
        assertThat(verdict.notRepaired()).isEmpty();
        assertThat(verdict.broken()).containsExactly(FILE + "test_fails");
        TestExpectation crashed =
                new TestExpectation(
                        List.of("tests/test_crash.py::test_after"), List.of(), Set.of(), true);
        assertThat(judged(crashed, "pytest-crash", 139).outcome()).isEqualTo(Outcome.UNRESOLVED);
    }

    @Test
    void anExitCodeThatContradictsTheLogLeavesNothingToBelieve() {
        TestVerdict verdict =
                judged(List.of("tests/test_crash.py::test_before"), List.of(), "pytest-crash", 139);
        assertThat(verdict.outcome()).isEqualTo(Outcome.UNTRUSTED);
        assertThat(verdict.cause()).isEqualTo(TestVerdict.EXIT_CODE);
    }

    @Test
    void noRunIsNoVerdict() {
        TestExpectation any = TestExpectation.of(List.of("x"), List.of());
        TestLog nothing = LogParsers.named("parse_log_pytest").orElseThrow().parse("sh: not found");
        assertThat(TestVerdict.of(any, nothing, 0).cause()).isEqualTo(TestVerdict.NO_RESULTS);
        assertThat(TestVerdict.of(any, nothing, 127).cause()).isEqualTo("tests_not_executable");
    }
}
