package dev.millrace.backends.harbor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.udfs.model.FailureClass;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a task, or a verifier, that is not as it should be. */
final class EdgeCasesTest extends VerifierFixture {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "true | reward_missing",
                ": > /logs/verifier/reward.txt | reward_empty",
                ": > /logs/verifier/reward.json | reward_empty",
                "echo ' ' > /logs/verifier/reward.txt | reward_unparsable",
                "echo 1_0 > /logs/verifier/reward.txt | reward_unparsable",
                "echo 0,5 > /logs/verifier/reward.txt | reward_unparsable",
                "echo Infinity > /logs/verifier/reward.txt | reward_unparsable",
                "echo '{\"reward\": NaN}' > /logs/verifier/reward.json | reward_unparsable",
                "echo '{\"reward\": true}' > /logs/verifier/reward.json | reward_unparsable",
                "echo '{\"a\": 1, \"b\": 0}' > /logs/verifier/reward.json | reward_key_missing",
                "head -c 70000 /dev/zero > /logs/verifier/reward.txt | reward_unparsable",
                "truncate -s 20M /logs/verifier/reward.txt | reward_unparsable"
            })
    void withoutATrustworthyRewardThereIsNoneAndNeverZero(String script, String cause)
            throws Exception {
        assertNoReward(script, cause);
    }

    @Test
    void jsonGoesBeforeTextAndBothAreRecorded() throws Exception {
        Verdict verdict =
                withTest(
                        "echo 0 > /logs/verifier/reward.txt; echo '{\"reward\": 1, \"speed\": 2.5}'"
                                + " > /logs/verifier/reward.json");
        assertThat(verdict.reward()).isEqualTo(1.0);
        assertThat(verdict.flags())
                .containsExactly("reward_number:speed=2.5", "rewards_disagree", "reward_txt=0.0");
    }

    /** Anyone could print that: it is said, and masks nothing. */
    @Test
    void testsThatCouldNotReachTheNetworkAreToldFromOthers() throws Exception {
        String lost = "echo 'curl: (6) Could not resolve host: example.org'; ";
        assertThat(withTest(lost + "echo 0 > /logs/verifier/reward.txt"))
                .returns(0.0, Verdict::reward)
                .returns(List.of("tests_wanted_network"), Verdict::flags);
        assertNoReward(lost + "exit 1", "reward_missing");
    }

    @Test
    void theFileDecidesAgainstTheExitCodeInBothDirections() throws Exception {
        assertThat(withTest("echo 1 > /logs/verifier/reward.txt; exit 3"))
                .returns(1.0, Verdict::reward)
                .returns(3, Verdict::exitCode)
                .returns(List.of("exit_code_disagrees"), Verdict::flags);
        assertThat(withTest("echo 0 > /logs/verifier/reward.txt; exit 0"))
                .returns(0.0, Verdict::reward)
                .returns(List.of(), Verdict::flags);
    }

    @Test
    void whatATimedOutAgentLeftIsGradedWhenNothingOfItRunsAnyMore() throws Exception {
        HarborTask task = loader.load(task().path);
        List<SandboxFile> workspace;
        try (Sandbox sandbox = new TaskSandbox(provider).prepare(task, Lease.of("a", "test"))) {
            String endless =
                    "sed -i s/minus/plus/ sign.txt; (trap '' TERM; setsid sh -c 'while :; do echo"
                            + " minus > sign.txt; done' &) ; sleep 0.2; echo plus > sign.txt;"
                            + " sleep 60";
            ExecResult result =
                    sandbox.exec(new ExecRequest("e", endless, "", Map.of(), 1_500, 1_000));
            assertThat(result.timedOut()).isTrue();
            // Written so that it doesn't find itself.
            String writers = "grep -ls 'm[i]nus' /proc/[0-9]*/cmdline; true";
            ExecResult left = sandbox.exec(new ExecRequest("f", writers, "", Map.of(), 5_000, 100));
            assertThat(new String(left.output(), StandardCharsets.UTF_8)).isEmpty();
            sandbox.exec(new ExecRequest("g", "echo plus > sign.txt", "", Map.of(), 5_000, 100));
            workspace = HarborVerifier.capture(task, sandbox);
        }
        Verdict verdict = new HarborVerifier(provider).grade(task, workspace, Lease.of("v", "t"));
        assertThat(verdict.reward()).isEqualTo(1.0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "RUN mkdir -p /logs && ln -s /app /logs/verifier && echo 1 > /app/reward.txt",
                "RUN mkdir -p /logs/verifier /tests && echo 1 > /logs/verifier/reward.txt && echo x"
                        + " > /tests/helper.sh",
                "RUN mkdir -p /logs && echo 1 > /logs/verifier",
                "RUN ln -s /app /tests; mkdir -p /logs/verifier; echo '{\"reward\": 1}' >"
                        + " /logs/verifier/reward.json"
            })
    void whatTheImageHasInTheVerifiersPlaceIsWiped(String line) throws Exception {
        TaskFolder task =
                task().with("environment/Dockerfile", TaskFolder.DOCKERFILE + line + "\n")
                        .with(
                                "tests/test.sh",
                                "#!/bin/sh\nls /tests /logs/verifier; ls -ld /tests\n");
        Verdict verdict = play(task);
        assertThat(verdict.reward()).isNull();
        assertThat(verdict.cause()).isEqualTo("reward_missing");
        assertThat(verdict.outputTail()).doesNotContain("reward", "helper", "->");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#!/bin/sh\r\necho 1 > /logs/verifier/reward.txt\r\n",
                "#!/bin/no-such-shell\necho 1 > /logs/verifier/reward.txt\n",
                "\u007fELF\u0001\u0001\u0001",
                "#!/app\n"
            })
    void aScriptThatCanNotRunIsTheTasksError(String script) throws Exception {
        Verdict verdict =
                play(task().with("tests/test.sh", script), "sed -i s/minus/plus/ sign.txt");
        assertThat(verdict.reward()).as(verdict.toString()).isNull();
        assertThat(verdict.cause()).isEqualTo("verifier_not_executable");
        assertThat(verdict.failureClass()).isEqualTo(FailureClass.VERIFIER);
    }

    @Test
    void aScriptWithoutAFirstLineOrModeRuns() throws Exception {
        TaskFolder task = task().with("tests/test.sh", "echo 1 > /logs/verifier/reward.txt\n");
        assertThat(task.path.resolve("tests/test.sh").toFile().canExecute()).isFalse();
        assertThat(play(task).reward()).isEqualTo(1.0);
    }

    @Test
    void testsThatTakeAllMemoryAreThePolicysDoing() throws Exception {
        TaskFolder task =
                task().with("task.toml", TaskFolder.CLOSED + "memory_mb = 64\n")
                        .with(
                                "tests/test.sh",
                                "#!/bin/sh\nexec python3 -c 'bytearray(900000000)'\n");
        Verdict verdict = play(task);
        assertThat(verdict.reward()).isNull();
        if (verdict.exitCode() == 137) {
            assertThat(verdict.cause()).isEqualTo("verifier_out_of_memory");
            assertThat(verdict.failureClass()).isEqualTo(FailureClass.POLICY);
            assertThat(verdict.flags()).contains("tests_ran_out_of_memory");
        } else {
            assertThat(verdict.cause()).as("address space is limited").isEqualTo("reward_missing");
        }
    }
}
