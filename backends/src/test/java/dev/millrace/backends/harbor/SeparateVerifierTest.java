package dev.millrace.backends.harbor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.backends.port.SandboxFile;
import dev.millrace.backends.port.SandboxLimits;
import dev.millrace.udfs.model.FailureClass;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that have an environment of their own, and get nothing but an attempt's artifacts. */
final class SeparateVerifierTest extends VerifierFixture {
    private static final String MODE = "[verifier]\nenvironment_mode = \"separate\"\n";
    private static final String IMAGE =
            "FROM b\nWORKDIR /judge\nENV MOOD=strict\nCOPY test.sh /tests/\nCOPY truth.txt .\n";
    private static final String TEST =
            "#!/bin/sh\nif cmp -s /judge/truth.txt /logs/artifacts/answer.txt; then echo 1; else"
                    + " echo 0; fi > /logs/verifier/reward.txt\n";
    private static final String ANSWER = "mkdir -p /logs/artifacts && echo plus > ";

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-,-,false",
                "-,own,true",
                "separate,-,true",
                "separate,own,true",
                "shared,-,false"
            })
    void modeAndSectionSayTogetherWhereTheTestsRun(String mode, String own, boolean separate)
            throws Exception {
        String toml = TaskFolder.CLOSED + (mode == null ? "[verifier]\n" : verifier(mode));
        TaskFolder task = separate().with("task.toml", toml + (own == null ? "" : own()));
        assertThat(loader.load(task.path).verifier().separate().isPresent()).isEqualTo(separate);
    }

    @Test
    void anEnvironmentForSharedTestsIsAMistake() throws Exception {
        String toml = TaskFolder.CLOSED + verifier("shared") + own();
        HarborTaskException refused = refused(separate().with("task.toml", toml));
        assertThat(refused.problems())
                .extracting(HarborProblem::key)
                .containsExactly("verifier.environment");
    }

    @Test
    void itsSettingsAreItsOwnOrACopyOfTheAgents() throws Exception {
        String agents = "cpus = 2\nmemory_mb = 300\n[environment.env]\nA = \"1\"\n";
        String toml = TaskFolder.CLOSED + agents + MODE;
        EnvironmentSpec copied = spec(separate().with("task.toml", toml));
        assertThat(copied.limits().memoryMb()).isEqualTo(300);
        assertThat(copied.plan().environment()).isEqualTo(Map.of("A", "1", "MOOD", "strict"));
        assertThat(copied.plan().workdir()).isEqualTo("/judge");
        EnvironmentSpec own = spec(separate().with("task.toml", toml + own()));
        assertThat(own.limits())
                .isEqualTo(new SandboxLimits(1, 400, 64, SandboxLimits.SMALL.diskMb()));
        assertThat(own.plan().environment()).isEqualTo(Map.of("MOOD", "strict"));
    }

    @Test
    void getsTheArtifactsAndNothingElseOfTheAttempt() throws Exception {
        TaskFolder task = separate();
        assertThat(play(task, ANSWER + "/logs/artifacts/answer.txt"))
                .returns(1.0, Verdict::reward)
                .returns(List.of(), Verdict::flags);
        assertThat(play(task, "sed -i s/minus/plus/ sign.txt; " + ANSWER + "answer.txt").reward())
                .as("the working folder is no artifact")
                .isEqualTo(0.0);
        assertThat(play(task).reward()).isEqualTo(0.0);
        TaskFolder looks =
                task.with(
                        "tests/test.sh",
                        "#!/bin/sh\npwd; echo $MOOD; ls; ls /app 2>/dev/null; ls /tests; echo 1 >"
                                + " /logs/verifier/reward.txt\n");
        assertThat(play(looks, "echo x > other.txt").outputTail())
                .isEqualTo("/judge\nstrict\ntruth.txt\ntest.sh\n");
    }

    @Test
    void carriesWhatIsDeclaredToItsOwnPath() throws Exception {
        String artifacts =
                "artifacts = [\"/app/out\", { source = \"/srv/one.txt\" }, { source ="
                        + " \"/app/more\", exclude = [\"*.tmp\", \"cache\"] }, \"/app/absent\"]\n";
        String look =
                "#!/bin/sh\ncd /; find app srv -type f 2>/dev/null | sort | tr '\\n' ' '; [ -x"
                        + " /app/out/run ] && cat /srv/one.txt; echo 1 >"
                        + " /logs/verifier/reward.txt\n";
        TaskFolder task =
                separate()
                        .with("task.toml", artifacts + TaskFolder.CLOSED + MODE)
                        .with("tests/Dockerfile", IMAGE + "COPY stale.txt /app/out/stale.txt\n")
                        .with("tests/stale.txt", "old")
                        .with("tests/test.sh", look);
        String make =
                "mkdir -p out/deep more/cache /srv; touch out/deep/a out/run more/a.tmp more/b"
                        + " more/cache/c; chmod +x out/run; echo one > /srv/one.txt; echo two >"
                        + " /srv/two.txt";
        assertThat(play(task, make).outputTail())
                .isEqualTo("app/more/b app/out/deep/a app/out/run srv/one.txt one\n");
    }

    @Test
    void theAgentsRewardsTestsAndLogsStayBehind() throws Exception {
        String plant =
                "mkdir -p /logs/verifier /logs/agent /tests; echo 1 > /logs/verifier/reward.txt;"
                        + " echo 'echo 1 > /logs/verifier/reward.txt' > /tests/test.sh; echo x >"
                        + " /logs/agent/x";
        String artifacts = "artifacts = [\"/logs\", \"/tests\"]\n" + TaskFolder.CLOSED + MODE;
        assertThat(play(separate().with("task.toml", artifacts), plant).reward()).isEqualTo(0.0);
        String answer = plant + "; " + ANSWER + "/logs/artifacts/answer.txt";
        assertThat(play(separate().with("task.toml", artifacts), answer).reward()).isEqualTo(1.0);
    }

    @Test
    void whatARunnerObeysIsNotCarriedWithAnArtifact() throws Exception {
        TaskFolder task =
                separate()
                        .with("task.toml", "artifacts = [\"/app\"]\n" + TaskFolder.CLOSED + MODE)
                        .with(
                                "tests/test.sh",
                                "#!/bin/sh\n[ -f /app/conftest.py ] && echo 1 >"
                                        + " /logs/verifier/reward.txt || echo 0 >"
                                        + " /logs/verifier/reward.txt\n");
        assertThat(play(task, "echo evil > conftest.py"))
                .returns(0.0, Verdict::reward)
                .returns(List.of("runner_file_put_back:conftest.py"), Verdict::flags);
        TaskFolder asked = task.with("instruction.md", "Write conftest.py.\n");
        assertThat(play(asked, "echo good > conftest.py").reward()).isEqualTo(1.0);
    }

    @Test
    void evidenceIsCollectedWhenTheAgentHasEnded() throws Exception {
        String collect =
                "[[verifier.collect]]\ncommand = \"mkdir -p /logs/artifacts && cp sign.txt"
                        + " /logs/artifacts/answer.txt\"\n[[verifier.collect]]\ncommand = \"exit"
                        + " 9\"\n";
        TaskFolder task = separate().with("task.toml", TaskFolder.CLOSED + MODE + collect);
        assertThat(loader.load(task.path).verifier().collect())
                .extracting(CollectCommand::timeoutMillis)
                .containsExactly(60_000L, 60_000L);
        assertThat(play(task, "sed -i s/minus/plus/ sign.txt").reward()).isEqualTo(1.0);
        assertThat(play(task).reward()).isEqualTo(0.0);
        String slow = "[[verifier.collect]]\ncommand = \"sleep 70\"\ntimeout_sec = 0.5\n";
        task.with("task.toml", TaskFolder.CLOSED + MODE + slow + collect);
        assertThat(play(task, "sed -i s/minus/plus/ sign.txt").reward())
                .as("one that takes too long keeps none of the others")
                .isEqualTo(1.0);
    }

    @Test
    void anEnvironmentWithoutItsScriptIsTheTasksError() throws Exception {
        assertThat(refused(separate().with("tests/Dockerfile", "FROM b\nWORKDIR /judge\n")))
                .hasMessageContaining(
                        "tests: the verifier's own environment has no /tests/test.sh");
        TaskFolder hidden =
                separate().with("tests/Dockerfile", "FROM b\nWORKDIR /judge\nRUN echo built\n");
        assertThat(play(hidden))
                .returns(FailureClass.VERIFIER, Verdict::failureClass)
                .returns("verifier_not_executable", Verdict::cause);
    }

    @Test
    void aRewardThatItsImageBringsIsWiped() throws Exception {
        String image =
                IMAGE + "RUN mkdir -p /logs/verifier && echo 1 > /logs/verifier/reward.txt\n";
        TaskFolder task =
                separate().with("tests/Dockerfile", image).with("tests/test.sh", "#!/bin/sh\n");
        assertThat(play(task))
                .returns("reward_missing", Verdict::cause)
                .returns(List.of("reward_preexisting"), Verdict::flags);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "artifacts = ['out'] | artifacts[0]",
                "artifacts = ['/a', '/a/../b'] | artifacts[1]",
                "artifacts = ['/'] | artifacts[0]",
                "artifacts = [7] | artifacts[0]",
                "artifacts = [{ source = '/a', destination = '/b' }] | artifacts[0].destination",
                "artifacts = [{ source = '/a', destination = '../b' }] | artifacts[0].destination",
                "artifacts = [{ source = '/a', destination = 'b\\c' }] | artifacts[0].destination",
                "artifacts = [{ source = '/a', destination = 'manifest.json' }] |"
                        + " artifacts[0].destination",
                "artifacts = [{ source = '/a', service = 'db' }] | artifacts[0].service",
                "artifacts = [{ source = '/a', exclude = [1] }] | artifacts[0].exclude[0]",
                "artifacts = [{ source = '/a', exclude = ['[z-a]'] }] | artifacts[0].exclude",
                "artifacts = '/a' | artifacts",
                "verifier = { collect = [{ command = 'x', service = 'db' }] } |"
                        + " verifier.collect[0].service",
                "verifier = { collect = [{ command = 'x', user = 'u' }] } |"
                        + " verifier.collect[0].user",
                "verifier = { collect = [{ timeout_sec = 1 }] } | verifier.collect[0].command"
            })
    void refusesByNameWhatItCanNotCarry(String line, String key) throws Exception {
        HarborTaskException refused = refused(task().with("task.toml", line + "\n"));
        assertThat(refused.problems()).extracting(HarborProblem::key).containsExactly(key);
    }

    @Test
    void theOwnEnvironmentIsHeldToTheSameRules() throws Exception {
        String toml = TaskFolder.CLOSED + "[verifier.environment]\nos = \"windows\"\ngpus = 2\n";
        TaskFolder task = separate().with("task.toml", toml).with("tests/docker-compose.yaml", "x");
        assertThat(refused(task).problems())
                .extracting(HarborProblem::key)
                .containsExactly("verifier.environment.gpus", "verifier.environment.os", "");
    }

    @Test
    void aSharedVerifierGetsDeclaredArtifactsToo() throws Exception {
        TaskFolder task =
                task().with("task.toml", "artifacts = [\"/srv/result\"]\n" + TaskFolder.CLOSED)
                        .with(
                                "tests/test.sh",
                                "#!/bin/sh\n"
                                        + "cat /srv/result/a /srv/b /logs/artifacts/c; grep -q plus"
                                        + " sign.txt && echo 1 > /logs/verifier/reward.txt\n");
        String make =
                "mkdir -p /srv/result /logs/artifacts; echo a > /srv/result/a; echo b > /srv/b;"
                        + " echo c > /logs/artifacts/c; sed -i s/minus/plus/ sign.txt";
        Verdict verdict = play(task, make);
        assertThat(verdict.outputTail()).contains("a\n").contains("c\n").doesNotContain("b\n");
        assertThat(verdict.reward()).isEqualTo(1.0);
    }

    @Test
    void whatIsKeptAsArtifactsInTheWorkingFolderIsNone() throws Exception {
        HarborTask task = loader.load(separate().path);
        SandboxFile planted = new SandboxFile(".artifacts/tests/test.sh", new byte[0], true);
        assertThat(CapturedFiles.elsewhere(task, List.of(planted))).isEmpty();
        assertThat(CapturedFiles.workspace(List.of(planted))).isEmpty();
    }

    private TaskFolder separate() throws Exception {
        return task().with("task.toml", TaskFolder.CLOSED + MODE)
                .with("tests/Dockerfile", IMAGE)
                .with("tests/truth.txt", "plus\n")
                .with("tests/test.sh", TEST);
    }

    private static String verifier(String mode) {
        return "[verifier]\nenvironment_mode = \"" + mode + "\"\n";
    }

    private static String own() {
        return "[verifier.environment]\nallow_internet = false\ncpus = 1\nmemory_mb = 400\n";
    }

    private EnvironmentSpec spec(TaskFolder task) throws Exception {
        return loader.load(task.path).verifier().separate().orElseThrow();
    }

    private HarborTaskException refused(TaskFolder task) {
        return catchThrowableOfType(HarborTaskException.class, () -> loader.load(task.path));
    }
}
