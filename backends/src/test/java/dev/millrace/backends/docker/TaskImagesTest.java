package dev.millrace.backends.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.backends.harbor.HarborTaskLoader;
import dev.millrace.backends.harbor.ImageMapping;
import dev.millrace.backends.harbor.TaskSandbox;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The daemon is asked for the image that a task names, not for the usual one. */
@Timeout(60)
final class TaskImagesTest {
    private static final String CREATE = "POST /v1.44/containers/create";
    private static final String PULL = "POST /v1.44/images/create";
    private static final String LOOK = "GET /v1.44/images/";

    @TempDir Path folder;
    private FakeEngine engine;
    private DockerProvider provider;

    @BeforeEach
    void open() throws IOException {
        engine = new FakeEngine(folder.resolve("engine.sock"));
        engine.answer(CREATE, "400 No", "{\"message\": \"stop here\"}");
        provider = new DockerProvider(DockerSettings.at(engine.socket(), "usual:1"));
    }

    @AfterEach
    void close() throws IOException {
        provider.close();
        engine.close();
    }

    private SandboxException failure(ImageMapping images) throws Exception {
        write("task.toml", "[environment]\ndocker_image = \"host.example:5000/team/task:7\"\n");
        write("instruction.md", "Do it.");
        write("tests/test.sh", "exit 0");
        Files.createDirectories(folder.resolve("task/environment"));
        var task = new HarborTaskLoader().on(images).load(folder.resolve("task"));
        SandboxException failure =
                catchThrowableOfType(
                        SandboxException.class,
                        () -> new TaskSandbox(provider).prepare(task, Lease.of("a", "o")));
        assertThat(failure.policyCaused()).isFalse();
        return failure;
    }

    private void write(String name, String content) throws IOException {
        Path file = folder.resolve("task").resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    @Test
    void aContainerIsMadeOfTheTasksImage() throws Exception {
        assertThat(failure(ImageMapping.AS_NAMED)).hasMessageContaining("stop here");
        assertThat(engine.bodies(CREATE))
                .singleElement()
                .asString()
                .contains("\"Image\":\"host.example:5000/team/task:7\"");
        assertThat(engine.requests()).noneMatch(line -> line.startsWith(PULL));
    }

    @Test
    void itIsOfTheUsualImageWhereTasksHaveNone() throws Exception {
        assertThat(failure(ImageMapping.NONE)).hasMessageContaining("stop here");
        assertThat(engine.bodies(CREATE))
                .singleElement()
                .asString()
                .contains("\"Image\":\"usual:1\"");
    }

    @Test
    void aTasksImageThatIsMissingIsPulled() throws Exception {
        engine.answer(LOOK, "404 Not Found", "{\"message\": \"no such image\"}");
        engine.answer(PULL, "200 OK", "{\"error\":\"manifest unknown\"}");
        SandboxException missing = failure(ImageMapping.AS_NAMED);
        assertThat(missing.kind()).isEqualTo(Kind.IMAGE);
        assertThat(missing)
                .hasMessage("pulling image host.example:5000/team/task:7: manifest unknown");
        assertThat(engine.requests())
                .anyMatch(line -> line.startsWith(PULL) && line.endsWith("team%2Ftask&tag=7"));
    }

    @Test
    void aRegistrysPauseForATasksImageIsPassedOn() throws Exception {
        engine.answer(LOOK, "404 Not Found", "{\"message\": \"no such image\"}");
        engine.answer(PULL, "429 No\r\nRetry-After: 7", "{\"message\": \"slow down\"}");
        SandboxException often = failure(ImageMapping.AS_NAMED);
        assertThat(often.kind()).isEqualTo(Kind.RATE_LIMITED);
        assertThat(often.retryAfterMillis()).isEqualTo(7_000);
    }
}
