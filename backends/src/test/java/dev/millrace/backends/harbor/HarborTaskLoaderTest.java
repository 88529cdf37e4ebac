package dev.millrace.backends.harbor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.backends.port.SandboxFile;
import dev.millrace.backends.port.SandboxLimits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HarborTaskLoaderTest {
    private static final SandboxLimits CEILING = new SandboxLimits(4, 4096, 512, 2048);

    private final HarborTaskLoader loader =
            new HarborTaskLoader(SandboxLimits.SMALL, CEILING, Map.of("TOKEN_NAME", "abc"));

    @TempDir Path folder;

    @Test
    void readsAFullTask() throws Exception {
        String toml =
                "version = \"1.0\"\n[task]\nname = \"org/sign\"\n[metadata]\nauthor = \"x\"\n"
                        + "[agent]\ntimeout_sec = 90.5\n[verifier]\ntimeout_sec = 7\n"
                        + "[verifier.env]\nA = \"${TOKEN_NAME}-${OTHER:-default}\"\n"
                        + "[environment]\nallow_internet = false\nmemory = \"2G\"\nstorage ="
                        + " \"100M\"\ncpus = 2\n[environment.env]\nE = \"e\"\n";
        Path path = TaskFolder.create(folder, "sign").with("task.toml", toml).path;
        HarborTask task = loader.load(path);
        assertThat(task.name()).isEqualTo("org/sign");
        assertThat(task.agentTimeoutMillis()).isEqualTo(90_500);
        assertThat(task.verifierTimeoutMillis()).isEqualTo(7000);
        assertThat(task.verifierEnvironment()).containsExactly(Map.entry("A", "abc-default"));
        assertThat(task.limits()).isEqualTo(new SandboxLimits(2, 2048, 64, 100));
        assertThat(task.workdir()).isEqualTo("/app");
        assertThat(task.environment().environment())
                .isEqualTo(Map.of("E", "e", "COLOUR", "blue", "SIZE", "very big"));
        assertThat(task.instruction()).isEqualTo("Make the sign a plus.\n");
        assertThat(task.notes()).hasSize(1).first().asString().contains("FROM python:3.13-slim");
        assertThat(task.tests()).extracting(SandboxFile::executable).containsExactly(true);
    }

    @Test
    void uploadsLooseFilesWhenThereIsOnlyAnImage() throws Exception {
        String toml = "[environment]\ndocker_image = \"x/y:1\"\nworkdir = \"/work\"\n";
        Path path =
                TaskFolder.create(folder, "loose")
                        .with("task.toml", toml)
                        .without("environment/Dockerfile")
                        .path;
        EnvironmentPlan plan = loader.load(path).environment();
        assertThat(plan.workdir()).isEqualTo("/work");
        assertThat(plan.steps()).hasSize(1);
        assertThat(plan.steps().get(0).files())
                .extracting(SandboxFile::path)
                .containsExactly("work/sign.txt");
        assertThat(loader.load(path).notes())
                .anyMatch(note -> note.contains("x/y:1"))
                .anyMatch(note -> note.contains("network"));
    }

    @Test
    void followsTheDockerfileStepByStep() throws Exception {
        String text =
                """
                FROM a
                WORKDIR /srv/app
                COPY . .
                COPY data /data
                COPY data/one.txt renamed.txt
                ADD sign.txt data/one.txt /both/
                RUN echo a && \\
                    # inner comment
                    echo b
                ENV P=$Q OLD=1
                ENV OLD style  value
                CMD ["bash"]
                """;
        Path path =
                TaskFolder.create(folder, "steps")
                        .with("environment/Dockerfile", text)
                        .with("environment/data/one.txt", "1")
                        .path;
        EnvironmentPlan plan = loader.load(path).environment();
        assertThat(plan.steps().stream().flatMap(step -> step.files().stream()))
                .extracting(SandboxFile::path)
                .containsExactly(
                        "srv/app/Dockerfile",
                        "srv/app/data/one.txt",
                        "srv/app/sign.txt",
                        "data/one.txt",
                        "srv/app/renamed.txt",
                        "both/sign.txt",
                        "both/one.txt");
        assertThat(plan.steps().get(4).command()).startsWith("echo a &&").endsWith("echo b");
        assertThat(plan.steps().get(4).workdir()).isEqualTo("/srv/app");
        assertThat(plan.environment()).isEqualTo(Map.of("P", "", "OLD", "style  value"));
    }

    @Test
    void keepsHereDocumentsOfRun() throws Exception {
        String text =
                """
                FROM a
                WORKDIR /app
                RUN <<END
                echo one
                # two
                END
                RUN cat > file <<'EOF'
                COPY is text here
                EOF
                ENV A=b
                """;
        Path path = TaskFolder.create(folder, "here").with("environment/Dockerfile", text).path;
        EnvironmentPlan plan = loader.load(path).environment();
        assertThat(plan.steps())
                .extracting(EnvironmentPlan.Step::command)
                .containsExactly("echo one\n# two", "cat > file <<'EOF'\nCOPY is text here\nEOF");
        assertThat(plan.environment()).isEqualTo(Map.of("A", "b"));
    }

    @Test
    void dropsCanaryLinesFromTheTop() throws Exception {
        String text = "<!-- benchmark CANARY 12 -->\n# canary guid\n\nDo it.\n# canary stays\n";
        Path path = TaskFolder.create(folder, "c").with("instruction.md", text).path;
        assertThat(loader.load(path).instruction()).isEqualTo("Do it.\n# canary stays\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[[steps]]\\nname = \"../a\" | steps[0].name",
                "[environment]\\nos = \"windows\" | environment.os",
                "[environment]\\ngpus = 1 | environment.gpus",
                "[environment]\\nnetwork_mode = \"allowlist\" | environment.network_mode",
                "[environment]\\nallowed_hosts = [\"a.b\"] | environment.allowed_hosts",
                "[environment]\\nmemory = \"2G\"\\nmemory_mb = 100 | environment.memory",
                "[environment]\\nmemory = \"two\" | environment.memory",
                "[environment]\\nmemory_mb = -5 | environment.memory_mb",
                "[environment.env]\\nA = \"${ABSENT}\" | environment.env.A",
                "[environment.healthcheck]\\nretries = 2 | environment.healthcheck.command",
                "[verifier]\\nenvironment_mode = \"both\" | verifier.environment_mode",
                "[verifier]\\ntimeout_sec = \"long\" | verifier.timeout_sec",
                "[agent]\\nuser = true | agent.user",
                "[agent]\\nnetwork_mode = \"no-network\" | agent.network_mode",
                "[task]\\nname = \"../x\" | task.name",
                "[environment | line 1"
            })
    void refusesByNameWhatItCanNotFollow(String toml, String key) throws Exception {
        Path path =
                TaskFolder.create(folder, "bad").with("task.toml", toml.replace("\\n", "\n")).path;
        HarborTaskException refused =
                catchThrowableOfType(HarborTaskException.class, () -> loader.load(path));
        assertThat(refused.problems()).extracting(HarborProblem::key).containsExactly(key);
        assertThat(refused.problems().get(0).remedy()).isNotEmpty();
        assertThat(refused).hasMessageContaining("task.toml: " + key);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "USER root | USER",
                "ONBUILD RUN x | ONBUILD",
                "SHELL bash | SHELL",
                "COPY --from=b a /a | --from=b",
                "COPY absent /a | absent",
                "ADD https://x.y/z /a | download",
                "COPY --chmod=u+x sign.txt /a | --chmod=u+x",
                "COPY *.none /a | *.none",
                "ADD data.tar.gz /a | data.tar.gz",
                "RUN --mount=type=secret,id=x y | --mount=type=secret"
            })
    void refusesDockerfileInstructionsByName(String line, String word) throws Exception {
        String text = "FROM a\nWORKDIR /app\n" + line + "\n";
        Path path =
                TaskFolder.create(folder, "d")
                        .with("environment/Dockerfile", text)
                        .with("environment/data.tar.gz", "x")
                        .path;
        assertThatThrownBy(() -> loader.load(path))
                .isInstanceOf(HarborTaskException.class)
                .hasMessageContaining("Dockerfile: line 3")
                .hasMessageContaining(word);
    }

    @Test
    void reportsTheProblemsOfAllTasksTogether() throws Exception {
        TaskFolder.create(folder, "fine");
        TaskFolder.create(folder, "one").without("tests/test.sh").without("instruction.md");
        TaskFolder.create(folder, "two").with("environment/docker-compose.yaml", "x");
        HarborTaskException refused =
                catchThrowableOfType(HarborTaskException.class, () -> loader.loadAll(folder));
        assertThat(refused.problems()).hasSize(3);
        assertThat(refused)
                .hasMessageContaining("one/instruction.md")
                .hasMessageContaining("one/tests/test.sh")
                .hasMessageContaining("docker-compose.yaml");
    }

    /** Each kind of damage that a row of a task file may have, in the form that a folder has it. */
    @Test
    void namesEveryDamagedTaskWithItsFileAndReadsHarmlessOnes() throws Exception {
        TaskFolder.create(folder, "bad-syntax").with("task.toml", "version = \n[task\n");
        TaskFolder.create(folder, "bad-kind").with("task.toml", "[]");
        TaskFolder.create(folder, "no-prompt").without("instruction.md");
        TaskFolder.create(folder, "blank-prompt").with("instruction.md", " \r\n\n");
        TaskFolder.create(folder, "nothing").with("task.toml", "").with("tests/test.sh", "");
        TaskFolder.create(folder, "same").with("task.toml", "[task]\nname = \"nothing\"\n");
        TaskFolder.create(folder, "long-prompt").with("instruction.md", "x".repeat(300_000));
        TaskFolder.create(folder, "bom")
                .with("instruction.md", "\ufeffMake it a plus.\n")
                .with("task.toml", "\ufeff[task]\nname = \"bom\"\n");
        TaskFolder.create(folder, "crlf").with("instruction.md", "Make it\r\na plus.\r\n");
        HarborTaskException refused =
                catchThrowableOfType(HarborTaskException.class, () -> loader.loadAll(folder));
        assertThat(refused)
                .hasMessageContaining("bad-syntax/task.toml")
                .hasMessageContaining("bad-kind/task.toml")
                .hasMessageContaining("no-prompt/instruction.md")
                .hasMessageContaining("blank-prompt/instruction.md: says nothing")
                .hasMessageContaining("'nothing' is the name of")
                .message()
                .doesNotContain("long-prompt", "crlf", "bom");
        assertThat(loader.load(folder.resolve("bom")).instruction()).startsWith("Make");
    }

    @Test
    void listsTasksByFolderAndSkipsOtherFolders() throws Exception {
        TaskFolder.create(folder, "b");
        TaskFolder.create(folder, "a");
        Files.createDirectory(folder.resolve("none"));
        assertThat(loader.loadAll(folder)).extracting(HarborTask::name).containsExactly("a", "b");
        assertThatThrownBy(() -> loader.loadAll(folder.resolve("none")))
                .isInstanceOf(HarborTaskException.class)
                .hasMessageContaining("no folder with a task.toml");
    }

    @Test
    void refusesTwoTasksOfOneName() throws Exception {
        String toml = "[task]\nname = \"same\"\n";
        TaskFolder.create(folder, "a").with("task.toml", toml);
        TaskFolder.create(folder, "b").with("task.toml", toml);
        assertThatThrownBy(() -> loader.loadAll(folder)).hasMessageContaining("is the name of");
    }

    @Test
    void readsWordsOfADockerfileLikeAShell() {
        assertThat(Dockerfile.words("a 'b c' \"d \\\" e\" f\\ g \"\""))
                .isEqualTo(List.of("a", "b c", "d \" e", "f g", ""));
    }
}
