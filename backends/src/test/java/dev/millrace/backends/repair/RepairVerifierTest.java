package dev.millrace.backends.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.bubblewrap.BubblewrapProvider;
import dev.millrace.backends.bubblewrap.BubblewrapSettings;
import dev.millrace.backends.harbor.Verdict;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.udfs.model.FailureClass;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepairVerifierTest {
    @TempDir Path scratch;
    @TempDir Path folder;

    private RepairTask task;
    private BubblewrapProvider provider;

    @BeforeEach
    void open() throws Exception {
        provider =
                new BubblewrapProvider(
                        BubblewrapSettings.in(scratch, BubblewrapSettings.Shell.BASH));
        task = RepairTask.in(folder);
    }

    @AfterEach
    void close() {
        provider.close();
    }

    private RepairVerdict grade(String patch) throws Exception {
        return new RepairVerifier(provider)
                .gradePatch(
                        task.load(),
                        patch.getBytes(StandardCharsets.UTF_8),
                        Lease.of("verifier", "test"));
    }

    private static SandboxFile file(String path, String content) {
        return new SandboxFile(path, content.getBytes(StandardCharsets.UTF_8), false);
    }

    private RepairVerdict leave(SandboxFile... files) throws Exception {
        return new RepairVerifier(provider)
                .gradeWorkspace(task.load(), List.of(files), Lease.of("verifier", "test"));
    }

    @Test
    void theReferenceRepairIsWorthOne() throws Exception {
        Verdict verdict = grade(RepairTask.GOLD).verdict();
        assertThat(verdict.reward()).as(verdict.toString()).isEqualTo(1.0);
        assertThat(verdict.flags()).isEmpty();
    }

    @Test
    void nothingAndTheWrongThingAreWorthNothing() throws Exception {
        assertThat(grade("").verdict().reward()).isEqualTo(0.0);
        RepairVerdict wrong = grade(RepairTask.WRONG);
        assertThat(wrong.verdict().reward()).isEqualTo(0.0);
        assertThat(wrong.notRepaired()).hasSize(1);
        assertThat(wrong.broken()).isEmpty();
    }

    @Test
    void aRepairThatBreaksSomethingIsWorthNothing() throws Exception {
        RepairVerdict verdict = grade(RepairTask.BREAKS_ANOTHER);
        assertThat(verdict.verdict().reward()).isEqualTo(0.0);
        assertThat(verdict.notRepaired()).isEmpty();
        assertThat(verdict.broken()).hasSize(1);
    }

    @Test
    void aDiffThatDoesNotApplyIsThePolicysFault() throws Exception {
        Verdict verdict = grade(RepairTask.change("return a / b", "return a + b")).verdict();
        assertThat(verdict.reward()).isEqualTo(0.0);
        assertThat(verdict.flags()).containsExactly("patch_does_not_apply");
    }

    @Test
    void aMissingLineEndDoesNoHarm() throws Exception {
        String ended = RepairTask.BREAKS_ANOTHER.stripTrailing();
        assertThat(grade(ended).broken()).hasSize(1);
    }

    @Test
    void gradesTheFilesThatWereLeft() throws Exception {
        String repaired = RepairTask.original().replace("a - b", "a + b");
        assertThat(leave(file("sums.py", repaired)).verdict().reward())
                .as("deleted tests come back, but their package does not")
                .isEqualTo(1.0);
        assertThat(leave(file("other.py", "")).verdict().reward()).isEqualTo(0.0);
    }

    @Test
    void theTestsFilesAreWhatTheyShouldBe() throws Exception {
        String passing = RepairTask.tests() + "\n    def test_adds(self):\n        pass\n";
        Verdict verdict =
                leave(
                                file("sums.py", RepairTask.original()),
                                file("tests/__init__.py", ""),
                                file("tests/test_sums.py", passing),
                                file("sitecustomize.py", "import os; os._exit(0)"))
                        .verdict();
        assertThat(verdict.reward()).as(verdict.toString()).isEqualTo(0.0);
    }

    @Test
    void whatStandsInTheWayOfTheTestsIsRemoved() throws Exception {
        String repaired = RepairTask.original().replace("a - b", "a + b");
        Verdict verdict = leave(file("sums.py", repaired), file("tests", "no folder")).verdict();
        assertThat(verdict.reward()).as(verdict.toString()).isEqualTo(1.0);
    }

    @Test
    void aTestPatchThatDoesNotFitIsTheTasksFault() throws Exception {
        task.with("tests/test.patch", RepairTask.TEST_PATCH.replace("test_negates", "test_other"));
        Verdict verdict = grade(RepairTask.GOLD).verdict();
        assertThat(verdict.reward()).isNull();
        assertThat(verdict.failureClass()).isEqualTo(FailureClass.VERIFIER);
        assertThat(verdict.cause()).isEqualTo("test_patch_does_not_apply");
    }

    @Test
    void testsThatCanNotBeRunAreNoVerdict() throws Exception {
        task.withCommand("no-such-runner");
        Verdict verdict = grade(RepairTask.GOLD).verdict();
        assertThat(verdict.reward()).isNull();
        assertThat(verdict.failureClass()).isEqualTo(FailureClass.VERIFIER);
        assertThat(verdict.cause()).isEqualTo("tests_not_executable");
    }

    @Test
    void anExitCodeThatContradictsTheLogIsNoVerdict() throws Exception {
        task.withCommand(RepairTask.COMMAND + "; exit 3");
        Verdict verdict = grade(RepairTask.GOLD).verdict();
        assertThat(verdict.reward()).isNull();
        assertThat(verdict.cause()).isEqualTo("exit_code_disagrees");
    }

    @Test
    void aRepairThatNeverEndsIsWorthNothing() throws Exception {
        task.with(
                "task.toml",
                """
                [verifier]
                timeout_sec = 2
                [environment]
                workdir = "/repo"
                allow_internet = false
                """);
        Verdict verdict = grade(RepairTask.change("return a - b", "while True: pass")).verdict();
        assertThat(verdict.reward()).as(verdict.toString()).isEqualTo(0.0);
        assertThat(verdict.flags()).containsExactly("tests_timed_out");
    }

    @Test
    void aCrashInTheMiddleIsWorthNothing() throws Exception {
        Verdict verdict =
                grade(RepairTask.change("return a - b", "import os; os._exit(0)")).verdict();
        assertThat(verdict.reward()).as(verdict.toString()).isEqualTo(0.0);
    }
}
