package dev.millrace.backends.harbor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImageTasksTest {
    @TempDir Path folder;
    private Path python;
    private HarborTaskLoader loader;

    @BeforeEach
    void makeImages() throws Exception {
        python = Files.createDirectories(folder.resolve("images/python"));
        Path rest = Files.createDirectories(folder.resolve("images/rest"));
        loader =
                new HarborTaskLoader()
                        .on(ImageMapping.parse("python:3*=" + python + ",team/*=" + rest));
    }

    @Test
    void theFirstImageNamedThatFitsStandsForTheTasks() throws Exception {
        EnvironmentPlan plan = plan("ARG V=3.12\nFROM python:${V}-slim\nWORKDIR /srv\n");
        assertThat(plan.image()).isEqualTo(python.toString());
        assertThat(plan.user()).isEmpty();
    }

    @Test
    void anImageThatNothingStandsForIsRefusedWithTaskImageAndSetting() {
        assertThatThrownBy(() -> plan("FROM node:22\nWORKDIR /srv\n"))
                .isInstanceOf(HarborTaskException.class)
                .hasMessageContaining("task/environment/Dockerfile: line 1")
                .hasMessageContaining("'node:22'")
                .hasMessageContaining("sandbox.images");
    }

    @Test
    void anImageThatIsNotThereIsRefusedWhenTheTaskIsRead() {
        loader = new HarborTaskLoader().on(ImageMapping.parse("*=" + folder.resolve("absent")));
        assertThatThrownBy(() -> plan("FROM a\nWORKDIR /srv\n")).hasMessageContaining("absent");
    }

    @Test
    void aPrebuiltImageThatIsNamedStandsForTheWholeDockerfile() throws Exception {
        String toml = "[environment]\ndocker_image = \"team/task:7\"\n";
        Path path =
                TaskFolder.create(folder, "task")
                        .with("task.toml", toml)
                        .with("environment/Dockerfile", "FROM node:22\nRUN make\n")
                        .path;
        EnvironmentPlan plan = loader.load(path).environment();
        assertThat(plan.image()).endsWith("images/rest");
        assertThat(plan.steps()).isEmpty();
        assertThat(loader.load(path).notes()).anyMatch(note -> note.contains("is not followed"));
    }

    @Test
    void usersVariablesAndShellsCount() throws Exception {
        EnvironmentPlan plan =
                plan(
                        """
                        FROM python:3 AS base
                        ARG LEVEL=2
                        ENV PATH=/opt/venv/bin:$PATH A=${LEVEL:-1} B=${NONE:-x} C=${A:+y}
                        SHELL ["/bin/bash", "-o", "pipefail", "-c"]
                        RUN echo 'a' | cat
                        RUN ["touch", "a b"]
                        RUN --mount=type=cache,target=/root/.cache pip install x
                        FROM base
                        WORKDIR /srv
                        USER app
                        """);
        assertThat(plan.user()).isEqualTo("app");
        assertThat(plan.environment())
                .containsEntry(
                        "PATH",
                        "/opt/venv/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:"
                                + "/usr/bin:/sbin:/bin")
                .containsAllEntriesOf(Map.of("A", "2", "B", "x", "C", ""));
        assertThat(plan.steps())
                .extracting(EnvironmentPlan.Step::command)
                .containsExactly(
                        "'/bin/bash' '-o' 'pipefail' '-c' 'echo '\\''a'\\'' | cat'",
                        "'touch' 'a b'",
                        "'/bin/bash' '-o' 'pipefail' '-c' 'pip install x'");
        assertThat(plan.steps().get(0).environment()).containsEntry("LEVEL", "2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "COPY sign.txt *.md /d/ | d/sign.txt,d/a.md,d/b.md",
                "COPY data* /d | d/one.txt",
                "COPY --chown=app:app --chmod=0755 a.md /d | d*",
                "COPY [\"a.md\", \"/with blank\"] | with blank",
                "COPY --chmod=644 data/*.txt /d/ | d/one.txt"
            })
    void copiesByPatternFlagAndList(String line, String paths) throws Exception {
        EnvironmentPlan plan = plan("FROM python:3\nWORKDIR /srv\n" + line + "\n");
        assertThat(plan.steps().get(0).files())
                .extracting(file -> file.path() + (file.executable() ? "*" : ""))
                .containsExactlyInAnyOrder(paths.split(","));
    }

    @Test
    void theSamePlanOnAnotherImageIsAnotherEnvironment() throws Exception {
        String rest = "\nWORKDIR /srv\nRUN make\n";
        String one = EnvironmentKey.of(plan("FROM python:3" + rest), "as planned");
        assertThat(EnvironmentKey.of(plan("FROM team/x" + rest), "as planned")).isNotEqualTo(one);
    }

    @Test
    void aMappingIsReadOrRefused() {
        assertThat(ImageMapping.parse("").isEmpty()).isTrue();
        ImageMapping mapping = ImageMapping.parse("a:*=/one, *=/two");
        assertThat(mapping.find("a:1")).contains("/one");
        assertThat(mapping.find("b.c")).contains("/two");
        assertThat(mapping.findNamed("b.c")).isEmpty();
        assertThatThrownBy(() -> ImageMapping.parse("a=relative"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private EnvironmentPlan plan(String dockerfile) throws Exception {
        Path path =
                TaskFolder.create(folder, "task")
                        .with("environment/Dockerfile", dockerfile)
                        .with("environment/a.md", "a")
                        .with("environment/b.md", "b")
                        .with("environment/data/one.txt", "1")
                        .path;
        return loader.load(path).environment();
    }
}
