package dev.millrace.backends.harbor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.udfs.model.FailureClass;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tasks of several steps: what is read of them, and what an attempt at one is worth. */
final class StepsTest extends VerifierFixture {
    private static final String FIRST = "sed -i s/minus/plus/ sign.txt";
    private static final String SECOND = "mv old.txt new.txt";
    private static final String NOTHING = "true";

    @Test
    void isValidByTheSolutionsOfItsSteps() throws Exception {
        TaskReport report = new TaskCheck(provider, "test").check(loader, steps("").path);
        assertThat(report.reason()).isEmpty();
        assertThat(report.oracle().reward()).isEqualTo(1.0);
        assertThat(report.nop().reward()).isEqualTo(0.0);
        TaskFolder unsolved = steps("").without("steps/name/solution/solve.sh");
        assertThat(new TaskCheck(provider, "test").check(loader, unsolved.path).reason())
                .isEqualTo("step name has no solution/solve.sh");
    }

    @Test
    void theRewardIsTheMeanOfTheStepsOrThatOfTheLast() throws Exception {
        assertThat(worth(steps(""), FIRST, SECOND).reward()).isEqualTo(1.0);
        assertThat(worth(steps(""), FIRST, NOTHING).reward()).isEqualTo(0.5);
        assertThat(worth(steps(""), NOTHING, SECOND).reward()).isEqualTo(0.5);
        assertThat(worth(onlyLast(), FIRST, NOTHING).reward()).isEqualTo(0.0);
        assertThat(worth(onlyLast(), NOTHING, SECOND).reward()).isEqualTo(1.0);
        assertThat(worth(steps(""), FIRST, NOTHING).flags())
                .containsExactly("step_reward:sign=1.0", "step_reward:name=0.0");
    }

    @Test
    void aStepBelowItsMinimumEndsTheAttempt() throws Exception {
        Verdict stopped = worth(steps("min_reward = 0.5\n"), NOTHING);
        assertThat(stopped.reward()).isEqualTo(0.0);
        assertThat(stopped.flags()).contains("step_below_minimum:sign");
        assertThat(worth(steps("min_reward = 0.5\n"), FIRST, SECOND).reward()).isEqualTo(1.0);
        assertThat(worth(steps("min_reward = 1\n"), FIRST, NOTHING).reward()).isEqualTo(0.5);
        TaskFolder named = steps("min_reward = { reward = 1, speed = 3 }\n");
        assertThat(worth(named, FIRST, SECOND).flags())
                .as("a number that is missing is below every minimum")
                .contains("step_below_minimum:sign");
        named.with(
                "steps/sign/tests/test.sh",
                "#!/bin/sh\necho '{\"reward\": 1, \"speed\": 3}' > /logs/verifier/reward.json\n");
        Verdict whole = worth(named, FIRST, SECOND);
        assertThat(whole.flags()).doesNotContain("step_below_minimum:sign");
        assertThat(whole.rewards().get("speed")).isCloseTo(1.5, within(1e-9));
    }

    @Test
    void whatWasNotPlayedThoughItCouldBeIsWorthNothing() throws Exception {
        Verdict verdict = worth(steps(""), FIRST);
        assertThat(verdict.reward()).isEqualTo(0.5);
        assertThat(verdict.flags()).contains("step_unplayed:name");
        assertThat(worth(onlyLast(), FIRST).reward()).isEqualTo(0.0);
    }

    @Test
    void testsOfOneStepAreNotThereInAnother() throws Exception {
        TaskFolder task =
                steps("")
                        .with(
                                "steps/name/tests/test.sh",
                                "#!/bin/sh\n[ -f /tests/worth.sh ] && [ ! -e /tests/secret.txt ] &&"
                                        + " echo 1 > /logs/verifier/reward.txt\n");
        HarborTask loaded = loader.load(task.path);
        assertThat(worth(task, FIRST, SECOND).reward()).isEqualTo(1.0);
        String looks = "find / -name secret.txt -not -path '/proc/*' 2>/dev/null > seen.txt";
        List<List<SandboxFile>> ends = play(loaded, FIRST, looks);
        assertThat(ends.get(1))
                .filteredOn(file -> file.path().equals("seen.txt"))
                .allMatch(file -> file.content().length == 0)
                .hasSize(1);
    }

    @Test
    void aStepWithoutAVerdictLeavesTheAttemptWithoutOne() throws Exception {
        TaskFolder task = steps("").with("steps/sign/tests/test.sh", "#!/bin/sh\n");
        assertThat(worth(task, FIRST, SECOND))
                .returns(null, Verdict::reward)
                .returns(FailureClass.VERIFIER, Verdict::failureClass)
                .returns("reward_missing", Verdict::cause);
    }

    @Test
    void filesOfAStepThatRunnersObeyAreTheEnvironments() throws Exception {
        TaskFolder task =
                steps("")
                        .with("steps/name/workdir/conftest.py", "given")
                        .with(
                                "steps/name/tests/test.sh",
                                "#!/bin/sh\ngrep -q given conftest.py && echo 1 >"
                                        + " /logs/verifier/reward.txt || echo 0 >"
                                        + " /logs/verifier/reward.txt\n");
        assertThat(worth(task, FIRST, "echo mine > conftest.py"))
                .returns(1.0, Verdict::reward)
                .extracting(Verdict::flags)
                .asList()
                .contains("name:runner_file_put_back:conftest.py");
    }

    @Test
    void aFirstStepThatCanNotBeSetUpIsAFailureOfTheEnvironment() throws Exception {
        TaskFolder task = steps("").with("steps/sign/workdir/setup.sh", "echo why; exit 5\n");
        HarborTask loaded = loader.load(task.path);
        SandboxException failed =
                catchThrowableOfType(
                        SandboxException.class,
                        () -> new TaskSandbox(provider).prepare(loaded, Lease.of("a", "test")));
        assertThat(failed).hasMessageContaining("step sign: setup.sh failed (exit 5): why");
        assertThat(provider.leases("test")).isEmpty();
    }

    @Test
    void isRefusedWhereAgentsCanNotPlayIt() throws Exception {
        Path folder = steps("").path;
        assertThatThrownBy(() -> loader.withoutSteps("with such agents").load(folder))
                .isInstanceOf(HarborTaskException.class)
                .hasMessageContaining("task.toml")
                .hasMessageContaining("steps: is unsupported with such agents; leave the task out");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "min_reward = 'x' | steps[0].min_reward",
                "min_reward = { a = 'x' } | steps[0].min_reward.a",
                "agent = { user = 'x' } | steps[0].agent.user",
                "agent = { network_mode = 'public' } | steps[0].agent.network_mode",
                "verifier = { environment_mode = 'separate' } | steps[0].verifier.environment_mode",
                "artifacts = ['x'] | steps[0].artifacts[0]",
                "healthcheck = { retries = 1 } | steps[0].healthcheck.command",
                "verifier = { env = { A = '${ABSENT}' } } | steps[0].verifier.env.A"
            })
    void refusesByNameWhatAStepCanNotHave(String line, String key) throws Exception {
        assertThat(refused(steps(line + "\n")).problems())
                .extracting(HarborProblem::key)
                .contains(key);
    }

    @Test
    void namesWhatIsMissingOfAStep() throws Exception {
        TaskFolder task = steps("").without("steps/sign/instruction.md");
        task.without("steps/name/tests/test.sh");
        assertThat(refused(task))
                .hasMessageContaining("steps/sign/instruction.md")
                .hasMessageContaining("steps/name/tests/test.sh: is missing");
        task.with("task.toml", "[[steps]]\nname = \"gone\"\n[[steps]]\nname = \"gone\"\n");
        assertThat(refused(task))
                .hasMessageContaining("steps/gone: is missing")
                .hasMessageContaining("steps[1].name: 'gone' is no name, or that of another step");
        task.with(
                "task.toml", "multi_step_reward_strategy = \"sum\"\n[[steps]]\nname = \"sign\"\n");
        assertThat(refused(task)).hasMessageContaining("multi_step_reward_strategy: 'sum'");
    }

    private TaskFolder steps(String minimum) throws Exception {
        return TaskFolder.inSteps(folder.resolve(Integer.toString(minimum.hashCode())), minimum);
    }

    private TaskFolder onlyLast() throws Exception {
        TaskFolder task = TaskFolder.inSteps(folder.resolve("last"), "");
        String toml = Files.readString(task.path.resolve("task.toml"));
        return task.with("task.toml", "multi_step_reward_strategy = \"final\"\n" + toml);
    }

    private Verdict worth(TaskFolder task, String... commands) throws Exception {
        HarborTask loaded = loader.load(task.path);
        List<SandboxFile> joined = StepFiles.join(play(loaded, commands));
        return new HarborVerifier(provider).grade(loaded, joined, Lease.of("verifier", "test"));
    }

    /** One command for each step that is played. */
    private List<List<SandboxFile>> play(HarborTask task, String... commands) throws Exception {
        List<List<SandboxFile>> ends = new ArrayList<>();
        try (Sandbox sandbox = new TaskSandbox(provider).prepare(task, Lease.of("a", "test"))) {
            for (int i = 0; i < commands.length; i++) {
                TaskStep step = task.stepPlan().steps().get(i);
                if (i > 0) {
                    step.setup().run(sandbox, task.workdir());
                }
                sandbox.exec(new ExecRequest("e", commands[i], "", Map.of(), 10_000, 1000));
                ends.add(HarborVerifier.capture(step.graded(), sandbox));
            }
        }
        return ends;
    }

    private HarborTaskException refused(TaskFolder task) {
        return catchThrowableOfType(HarborTaskException.class, () -> loader.load(task.path));
    }
}
