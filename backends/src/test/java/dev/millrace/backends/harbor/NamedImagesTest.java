package dev.millrace.backends.harbor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.backends.fake.FakeFaults;
import dev.millrace.backends.fake.FakeProvider;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.SandboxCapabilities.Attach;
import dev.millrace.backends.port.SandboxSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks whose images the provider gets by the names that the tasks give. */
class NamedImagesTest {
    private static final String TOML = "[environment]\ndocker_image = \"%s\"\n";

    @TempDir Path folder;
    private final HarborTaskLoader loader = new HarborTaskLoader().on(ImageMapping.AS_NAMED);

    @Test
    void theDockerfilesImageIsTheProvidersAndTheRestIsCarriedOutThere() throws Exception {
        EnvironmentPlan plan =
                dockerfile("ARG V=3.12\nFROM python:${V}-slim AS b\nFROM b\nWORKDIR /srv\nRUN x\n")
                        .environment();
        assertThat(plan.image()).isEqualTo("python:3.12-slim");
        assertThat(plan.workdir()).isEqualTo("/srv");
        assertThat(plan.steps()).extracting(EnvironmentPlan.Step::command).containsExactly("x");
    }

    @Test
    void aPrebuiltImageComesFirstAndTheDockerfileSaysWhatItIsLike() throws Exception {
        HarborTask task =
                loader.load(
                        TaskFolder.create(folder, "task")
                                .with(
                                        "task.toml",
                                        TOML.formatted("host.example/team/task@" + digest()))
                                .with(
                                        "environment/Dockerfile",
                                        """
                                        FROM scratch
                                        ENV D=/srv
                                        WORKDIR $D
                                        USER 12:7
                                        RUN make
                                        """)
                                .path);
        EnvironmentPlan plan = task.environment();
        assertThat(plan.image()).isEqualTo("host.example/team/task@" + digest());
        assertThat(plan.workdir()).isEqualTo("/srv");
        assertThat(plan.user()).isEqualTo("12");
        assertThat(plan.steps()).isEmpty();
        assertThat(task.notes()).anyMatch(note -> note.contains("is not followed"));
    }

    @Test
    void aTaskWithoutAnImageHasTheUsualOne() throws Exception {
        HarborTask task =
                loader.load(
                        TaskFolder.create(folder, "task").without("environment/Dockerfile").path);
        assertThat(task.environment().image()).isEmpty();
        assertThat(task.notes()).anyMatch(note -> note.contains("the usual one is used"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "scratch",
                "a b",
                "-a",
                "Upper",
                "a:",
                "a\\nRUN x",
                "host.example/",
                "a@sha256:1"
            })
    void whatIsNoImageIsRefusedWhenTheTaskIsRead(String name) throws Exception {
        Path path = TaskFolder.create(folder, "task").with("task.toml", TOML.formatted(name)).path;
        assertThatThrownBy(() -> loader.load(path))
                .isInstanceOf(HarborTaskException.class)
                .hasMessageContaining("environment.docker_image")
                .hasMessageContaining("is no image that can be got");
    }

    @Test
    void anImageWithoutANameIsRefusedWithItsLine() {
        assertThatThrownBy(() -> dockerfile("FROM ${NONE}\nWORKDIR /srv\n"))
                .hasMessageContaining("line 1")
                .hasMessageContaining("is no image that can be got");
    }

    @ParameterizedTest
    @CsvSource({"root,''", "0,''", "0:0,''", "4321,4321", "12:34,12"})
    void usersAreNumbersAndRootIsTheProvidersOwn(String named, String user) throws Exception {
        HarborTask task = dockerfile("FROM a\nWORKDIR /srv\nUSER x\nUSER " + named + "\n");
        assertThat(task.environment().user()).isEqualTo(user);
        assertThat(task.notes()).anyMatch(note -> note.startsWith("USER " + named));
    }

    @Test
    void aUsersNameIsRefused() {
        assertThatThrownBy(() -> dockerfile("FROM a\nWORKDIR /srv\nUSER app\n"))
                .isInstanceOf(HarborTaskException.class)
                .hasMessageContaining("'app' is a name, which only the image knows");
    }

    @Test
    void thatThePathOfTheImageIsNotKnownIsNoted() throws Exception {
        HarborTask task = dockerfile("FROM a\nWORKDIR /srv\nENV PATH=/opt/bin:$PATH\n");
        assertThat(task.notes()).anyMatch(note -> note.contains("$PATH of the Dockerfile"));
    }

    @Test
    void stepsAreCarriedOutInTheSandboxWhereTreesAreNotKept() throws Exception {
        HarborTask task = dockerfile("FROM a:1\nWORKDIR /srv\nUSER 12\nRUN make it\n");
        List<SandboxSpec> asked = new ArrayList<>();
        FakeFaults watch =
                new FakeFaults() {
                    @Override
                    public void create(SandboxSpec spec) {
                        asked.add(spec);
                    }
                };
        try (FakeProvider provider = new FakeProvider(Attach.NONE, watch)) {
            new TaskSandbox(provider).prepare(task, Lease.of("a", "test")).close();
            assertThat(asked).hasSize(1);
            assertThat(asked.get(0).image()).isEqualTo("a:1");
            assertThat(asked.get(0).user()).isEqualTo("12");
            assertThat(asked.get(0).preparing()).isFalse();
            assertThat(provider.executed("a").get(0)).hasSize(2);
            assertThat(provider.executed("a").get(0).get(0)).endsWith("4");
        }
    }

    @Test
    void aRepositoryOfTheImageIsTrimmedWithoutAnyStep() throws Exception {
        HarborTask task = dockerfile("FROM a:1\nWORKDIR /srv\n");
        try (FakeProvider provider = new FakeProvider(Attach.NONE, FakeFaults.NONE)) {
            new TaskSandbox(provider).prepare(task, Lease.of("a", "test")).close();
            assertThat(provider.executed("a").get(0))
                    .singleElement()
                    .asString()
                    .endsWith("history");
        }
    }

    private static String digest() {
        return "sha256:" + "0a".repeat(32);
    }

    private HarborTask dockerfile(String text) throws Exception {
        return loader.load(
                TaskFolder.create(folder, "task").with("environment/Dockerfile", text).path);
    }
}
