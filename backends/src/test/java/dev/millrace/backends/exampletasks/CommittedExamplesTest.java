package dev.millrace.backends.exampletasks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The folders under {@code examples/tasks} are the first training tasks of seed 1. */
class CommittedExamplesTest {
    private static final Path EXAMPLES = Path.of("..", "examples", "tasks");
    private static final int COMMITTED = 12;

    /** Writes them anew. */
    public static void main(String[] args) throws IOException {
        for (ExampleTask task : committed()) {
            ExampleTasks.writeFolder(task, Path.of(args[0]).resolve(task.id()));
        }
    }

    @Test
    void areWhatTheGeneratorWrites() throws IOException {
        for (ExampleTask task : committed()) {
            Path folder = EXAMPLES.resolve(task.id());
            for (Map.Entry<String, String> file : task.files().entrySet()) {
                assertThat(folder.resolve(file.getKey())).hasContent(file.getValue());
            }
            assertThat(folder.resolve("tests/test.sh")).isExecutable();
            try (var found = Files.walk(folder)) {
                assertThat(found.filter(Files::isRegularFile)).hasSize(task.files().size());
            }
        }
    }

    private static List<ExampleTask> committed() {
        return ExampleTasks.generate(1, Counts.DEFAULT).subList(0, COMMITTED);
    }
}
