package dev.millrace.udfs.testlog;

import static dev.millrace.udfs.testlog.TestStatus.ERROR;
import static dev.millrace.udfs.testlog.TestStatus.FAILED;
import static dev.millrace.udfs.testlog.TestStatus.PASSED;
import static dev.millrace.udfs.testlog.TestStatus.SKIPPED;
import static dev.millrace.udfs.testlog.TestStatus.XFAIL;
import static dev.millrace.udfs.testlog.TestStatus.XPASS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OtherParsersTest {
    private static String unit(String method) {
        return method + " (test_u.Sums." + method + ")";
    }

    @ParameterizedTest
    @ValueSource(strings = {"unittest-v", "nose2-v"})
    void readsUnittest(String sample) {
        TestLog log = Samples.parsed("parse_log_unittest", sample);
        assertThat(log.completed()).isTrue();
        assertThat(log.tests())
                .contains(
                        entry(unit("test_adds"), PASSED),
                        entry(unit("test_fails"), FAILED),
                        entry(unit("test_error"), ERROR),
                        entry(unit("test_skipped"), SKIPPED),
                        entry(unit("test_known"), XFAIL),
                        entry(unit("test_mended"), XPASS),
                        entry(unit("test_noise"), PASSED),
                        entry(unit("test_sub"), FAILED),
                        entry(unit("test_documented"), PASSED),
                        entry("A first line of documentation.", PASSED));
    }

    @Test
    void readsNose() {
        TestLog log = Samples.parsed("parse_log_nose", "nose-v");
        assertThat(log.tests())
                .contains(
                        entry(unit("test_adds"), PASSED),
                        entry("Says what it is for.", FAILED),
                        entry(unit("test_error"), ERROR),
                        entry(unit("test_skipped"), SKIPPED),
                        entry(unit("test_noise"), PASSED));
    }

    @Test
    void readsDjango() {
        TestLog log = Samples.parsed("parse_log_django", "django-v2");
        String views = " (app.tests.Views.";
        assertThat(log.tests())
                .contains(
                        entry("test_ok" + views + "test_ok)", PASSED),
                        entry("test_noise" + views + "test_noise)", PASSED),
                        entry("test_fails" + views + "test_fails)", FAILED),
                        entry("test_error" + views + "test_error)", ERROR),
                        entry("test_known" + views + "test_known)", XFAIL),
                        entry("test_skipped" + views + "test_skipped)", SKIPPED),
                        entry("The page's title (and more).", PASSED));
    }

    @Test
    void aCrashOfUnittestIsNoCompleteRun() {
        TestLog log = Samples.parsed("parse_log_unittest", "unittest-crash");
        assertThat(log.completed()).isFalse();
        assertThat(log.tests()).containsOnly(entry("test_a (crash_u.Crash.test_a)", PASSED));
    }

    @Test
    void readsGo() {
        TestLog log = Samples.parsed("parse_log_gotest", "go-v");
        assertThat(log.tests())
                .contains(
                        entry("TestAdds", PASSED),
                        entry("TestFails", FAILED),
                        entry("TestSkipped", SKIPPED),
                        entry("TestTable/two/parts", PASSED),
                        entry("TestTable/bad", FAILED),
                        entry("TestPrintsWithoutNewline", PASSED),
                        entry("TestPanics", FAILED))
                .doesNotContainKeys("TestAfterPanic", "TestX");
        assertThat(Samples.parsed("parse_log_gotest", "go-json").tests())
                .contains(entry("TestAdds", PASSED), entry("TestTable/bad", FAILED));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cargo", "cargo-color", "cargo-nocapture"})
    void readsCargo(String sample) {
        assertThat(Samples.parsed("parse_log_cargo", sample).tests())
                .contains(
                        entry("tests::adds", PASSED),
                        entry("tests::fails", FAILED),
                        entry("tests::ignored_for_a_reason", SKIPPED),
                        entry("tests::panics", PASSED),
                        entry("tests::deep::prints", PASSED));
    }

    @Test
    void anAbortedRustTestHasFailed() {
        TestLog log = Samples.parsed("parse_log_cargo", "cargo-abort");
        assertThat(log.completed()).isFalse();
        assertThat(log.tests()).containsOnly(entry("a_before", PASSED), entry("b_aborts", FAILED));
        TestLog broken = Samples.parsed("parse_log_cargo", "cargo-broken");
        assertThat(broken.ran()).isTrue();
        assertThat(broken.tests()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"jest-verbose", "jest-color"})
    void readsJest(String sample) {
        assertThat(Samples.parsed("parse_log_jest", sample).tests())
                .contains(
                        entry("sums > adds", PASSED),
                        entry("fails - badly", FAILED),
                        entry("is skipped", SKIPPED),
                        entry("is to be done", SKIPPED),
                        entry("sums > nested > takes 1 and a b", PASSED),
                        entry("takes 2 and c (d)", FAILED),
                        entry("at the top", PASSED));
    }

    @ParameterizedTest
    @ValueSource(strings = {"mocha-spec", "mocha-color"})
    void readsMocha(String sample) {
        TestLog log = Samples.parsed("parse_log_mocha", sample);
        assertThat(log.completed()).isTrue();
        assertThat(log.tests())
                .contains(
                        entry("sums > adds", PASSED),
                        entry("fails", FAILED),
                        entry("is skipped", SKIPPED),
                        entry("is slow", PASSED),
                        entry("sums > nested > works (well)", PASSED))
                .doesNotContainKey("sums");
        assertThat(Samples.parsed("parse_log_mocha", "mocha-crash").completed()).isFalse();
    }

    @Test
    void readsTheTestAnythingProtocol() {
        assertThat(Samples.parsed("parse_log_tap", "mocha-tap").tests())
                .contains(
                        entry("sums adds", PASSED),
                        entry("sums fails", FAILED),
                        entry("sums is skipped", SKIPPED),
                        entry("sums nested works (well)", PASSED));
    }

    @Test
    void readsVitest() {
        assertThat(Samples.parsed("parse_log_vitest", "vitest-verbose").tests())
                .contains(
                        entry("sum.test.mjs > sums > adds", PASSED),
                        entry("sum.test.mjs > sums > fails > badly", FAILED),
                        entry("sum.test.mjs > sums > is skipped", SKIPPED),
                        entry("sum.test.mjs > sums > nested > takes 2", FAILED),
                        entry("sum.test.mjs > at the top", PASSED));
    }

    @Test
    void testsOfAMavenClassThatFailedAsAWholeDidNotPass() {
        TestLog log = Samples.parsed("parse_log_maven", "maven");
        List<String> never = List.of("app.SetupTest.never");
        assertThat(TestExpectation.of(never, never).notRepaired(log)).isEqualTo(never);
        assertThat(TestExpectation.of(never, never).broken(log)).isEqualTo(never);
    }

    @Test
    void aMavenClassThatSkipsTestsMayHaveSkippedAnyThatItDoesNotName() {
        TestLog log = Samples.parsed("parse_log_maven", "maven");
        List<String> skipped = List.of("app.SumsTest.isSkipped");
        assertThat(TestExpectation.of(skipped, skipped).notRepaired(log)).isEqualTo(skipped);
        assertThat(TestExpectation.of(skipped, skipped).broken(log)).isEmpty();
        List<String> passed = List.of("app.CleanTest.works");
        assertThat(TestExpectation.of(passed, passed).notRepaired(log)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"maven", "maven-color"})
    void readsMaven(String sample) {
        TestLog log = Samples.parsed("parse_log_maven", sample);
        assertThat(log.completed()).isTrue();
        assertThat(log.tests())
                .contains(
                        entry("app.SumsTest", FAILED),
                        entry("app.SumsTest$Inner", PASSED),
                        entry("app.SumsTest.fails", FAILED),
                        entry("app.SumsTest.takes(String)[2]", FAILED),
                        entry("app.SumsTest.throwsSomething", ERROR));
        TestExpectation methods =
                TestExpectation.of(
                        List.of("app.SumsTest$Inner.works"),
                        List.of("app.SumsTest#adds", "app.SumsTest.fails", "app.NoTest.any"));
        assertThat(methods.notRepaired(log)).isEmpty();
        assertThat(methods.broken(log)).containsExactly("app.SumsTest.fails", "app.NoTest.any");
    }

    @Test
    void aClassWhoseProcessIsGoneHasFailed() {
        assertThat(Samples.parsed("parse_log_maven", "maven-crash").tests())
                .containsEntry("app.CrashTest", FAILED);
        TestLog broken = Samples.parsed("parse_log_maven", "maven-broken");
        assertThat(broken.ran()).isTrue();
        assertThat(broken.tests()).isEmpty();
    }
}
