package dev.millrace.backends.harbor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.backends.port.SandboxException;
import dev.millrace.udfs.model.FailureClass;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HarborVerifierTest extends VerifierFixture {
    @Test
    void gradesWhatTheAgentLeft() throws Exception {
        assertThat(play(task(), "ls").reward()).isEqualTo(0.0);
        Verdict solved = play(task(), "sed -i s/minus/plus/ sign.txt");
        assertThat(solved.reward()).isEqualTo(1.0);
        assertThat(solved.failureClass()).isNull();
        assertThat(solved.flags()).isEmpty();
    }

    @Test
    void carriesNewChangedAndDeletedFiles() throws Exception {
        String commands =
                "FROM a\nWORKDIR /app\nCOPY sign.txt gone.txt kept.txt ./\nRUN echo m > made\n";
        TaskFolder task =
                task().with("environment/Dockerfile", commands)
                        .with("environment/gone.txt", "x")
                        .with("environment/kept.txt", "k")
                        .with(
                                "tests/test.sh",
                                "#!/bin/sh\nfind . -type f | sort | tr '\\n' ' '; test -x new/run"
                                        + " && cat made; echo 1 > /logs/verifier/reward.txt\n");
        String play =
                "rm gone.txt; mkdir new; echo '#!' > new/run; chmod +x new/run; echo c > made";
        assertThat(play(task, play).outputTail())
                .isEqualTo("./kept.txt ./made ./new/run ./sign.txt c\n");
    }

    @Test
    void keepsWhatWasPlantedOutsideTheWorkspaceOut() throws Exception {
        Verdict verdict =
                play(
                        task(),
                        "mkdir -p /logs/verifier /tests; echo 1 > /logs/verifier/reward.txt; echo"
                            + " '{\"reward\": 1}' > /logs/verifier/reward.json; echo 'echo 1' >"
                            + " /tests/test.sh; echo x > /tmp/x; (setsid sh -c 'while :; do echo 1"
                            + " > /logs/verifier/reward.txt; done' &)");
        assertThat(verdict.reward()).isEqualTo(0.0);
        assertThat(verdict.flags()).isEmpty();
    }

    @Test
    void wipesARewardThatTheEnvironmentBringsAlong() throws Exception {
        String text =
                TaskFolder.DOCKERFILE
                        + "RUN mkdir -p /logs/verifier && echo 1 > /logs/verifier/reward.txt\n";
        TaskFolder task = task().with("environment/Dockerfile", text);
        assertThat(play(task.with("tests/test.sh", "#!/bin/sh\n"), "ls"))
                .returns("reward_missing", Verdict::cause)
                .returns(List.of("reward_preexisting"), Verdict::flags)
                .returns(FailureClass.VERIFIER, Verdict::failureClass);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "true | reward_missing",
                ": > /logs/verifier/reward.txt | reward_empty",
                "echo nan > /logs/verifier/reward.txt | reward_unparsable",
                "mkfifo /logs/verifier/reward.txt | reward_missing",
                "ln -s /etc/passwd /logs/verifier/reward.txt | reward_missing",
                "rm -rf /logs/verifier; ln -s /app /logs/verifier | reward_missing",
                "exit 127 | verifier_not_executable"
            })
    void namesWhyThereIsNoReward(String script, String cause) throws Exception {
        assertNoReward(script, cause);
    }

    @Test
    void doesNotTrustARewardFromBeforeATimeout() throws Exception {
        TaskFolder task =
                task().with("task.toml", TaskFolder.CLOSED + "[verifier]\ntimeout_sec = 0.5\n")
                        .with(
                                "tests/test.sh",
                                "#!/bin/sh\necho 1 > /logs/verifier/reward.txt; echo begun; sleep"
                                        + " 30\n");
        Verdict verdict = play(task);
        assertThat(verdict.reward()).isNull();
        assertThat(verdict.cause()).isEqualTo("verifier_timeout");
        assertThat(verdict.outputTail()).contains("500 ms").contains("begun");
    }

    @Test
    void whatAVerifierLeavesBehindAtItsTimeoutIsGoneWithItsSandbox() throws Exception {
        TaskFolder task =
                task().with("task.toml", TaskFolder.CLOSED + "[verifier]\ntimeout_sec = 1\n")
                        .with(
                                "tests/test.sh",
                                "#!/bin/sh\nsetsid sh -c 'sleep 300.7357; echo 1 >"
                                        + " /logs/verifier/reward.txt' & sleep 300.7357\n");
        Verdict verdict = play(task);
        assertThat(verdict.reward()).isNull();
        assertThat(verdict.cause()).isEqualTo("verifier_timeout");
        assertThat(verdict.failureClass()).isEqualTo(FailureClass.VERIFIER);
        assertThat(provider.leases("test")).isEmpty();
        assertThat(ProcessHandle.allProcesses().map(p -> p.info().commandLine().orElse("")))
                .as("nothing is left that could write a reward")
                .noneMatch(command -> command.contains("sleep 300.7357"));
        assertThat(play(task.with("tests/test.sh", "#!/bin/sh\n")).cause())
                .isEqualTo("reward_missing");
    }

    @Test
    void letsTheFileDecideAndNotTheExitCode() throws Exception {
        Verdict verdict = withTest("echo 1 > /logs/verifier/reward.txt; exit 3");
        assertThat(verdict.reward()).isEqualTo(1.0);
        assertThat(verdict.exitCode()).isEqualTo(3);
        assertThat(verdict.flags()).containsExactly("exit_code_disagrees");
    }

    @Test
    void blamesThePolicyWhenItsCodeEndsTheVerifier() throws Exception {
        Verdict verdict = withTest("kill -9 -1");
        assertThat(verdict.reward()).isNull();
        assertThat(verdict.failureClass()).isEqualTo(FailureClass.POLICY);
        assertThat(verdict.cause()).isEqualTo("verifier_sandbox_died");
    }

    @Test
    void givesTheTestsTheirVariables() throws Exception {
        String toml = TaskFolder.CLOSED + "[verifier.env]\nWORD = \"it's\"\n";
        TaskFolder task =
                task().with("task.toml", toml)
                        .with(
                                "tests/test.sh",
                                "#!/bin/sh\necho $WORD $COLOUR $SIZE\necho 1 >"
                                        + " /logs/verifier/reward.txt\n");
        assertThat(play(task).outputTail()).isEqualTo("it's blue very big\n");
    }

    @Test
    void saysWhichStepOfTheDockerfileFailed() throws Exception {
        String text = "FROM a\nWORKDIR /app\n\nRUN echo broken >&2 && exit 9\n";
        TaskFolder task = task().with("environment/Dockerfile", text);
        assertThatThrownBy(() -> play(task))
                .isInstanceOf(SandboxException.class)
                .hasMessageContaining("Dockerfile line 4")
                .hasMessageContaining("exit 9")
                .hasMessageContaining("broken");
    }

    @Test
    void findsAGoodTaskValid() throws Exception {
        TaskReport report = new TaskCheck(provider, "test").check(loader, task().path);
        assertThat(report.reason()).isEmpty();
        assertThat(report.valid()).isTrue();
        assertThat(report.oracle().reward()).isEqualTo(1.0);
        assertThat(report.nop().reward()).isEqualTo(0.0);
    }

    @Test
    void saysWhyATaskIsNotFit() throws Exception {
        TaskCheck check = new TaskCheck(provider, "test");
        TaskFolder task = task().with("solution/solve.sh", "#!/bin/sh\ntrue\n");
        assertThat(check.check(loader, task.path).reason()).contains("worth only 0.0");
        task.with("tests/test.sh", "#!/bin/sh\necho 1 > /logs/verifier/reward.txt\n");
        assertThat(check.check(loader, task.path).reason()).contains("doing nothing is worth 1.0");
        task.with("tests/test.sh", "#!/bin/sh\n");
        assertThat(check.check(loader, task.path).reason()).contains("reward_missing");
        task.with("solution/solve.sh", "#!/bin/sh\necho why; exit 4\n");
        assertThat(check.check(loader, task.path).reason()).contains("exit 4").contains("why");
        task.without("solution/solve.sh");
        assertThat(check.check(loader, task.path).reason()).contains("no solution");
        task.with("task.toml", "[[steps]]\nname = \"a\"\n");
        assertThat(check.check(loader, task.path).reason()).contains("steps/a: is missing");
    }
}
