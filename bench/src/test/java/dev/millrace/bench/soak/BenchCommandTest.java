package dev.millrace.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchCommandTest {
    @TempDir Path folder;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @Test
    void namesItsBenchmarksWhenNoneIsAskedFor() {
        assertThat(execute()).isEqualTo(2);
        assertThat(text()).contains("There are: recovery, pacing, clients, sandboxes");
    }

    @Test
    void refusesARecipeThatCanNotBeReadBeforeItStartsAnything() {
        Path output = folder.resolve("out");
        int code =
                execute(
                        "recovery",
                        "--recipe",
                        "recipes/soak.yaml",
                        "--set",
                        "rollout.slots=0",
                        "--output",
                        output.toString());
        assertThat(code).isEqualTo(2);
        assertThat(text()).contains("rollout.slots");
        assertThat(output).doesNotExist();
    }

    private int execute(String... arguments) {
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        PrintWriter errors = new PrintWriter(printed, true, StandardCharsets.UTF_8);
        return BenchCommand.line(out).setErr(errors).execute(arguments);
    }

    private String text() {
        return printed.toString(StandardCharsets.UTF_8);
    }
}
