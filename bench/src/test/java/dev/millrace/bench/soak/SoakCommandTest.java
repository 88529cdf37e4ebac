package dev.millrace.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SoakCommandTest {
    @TempDir Path folder;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @Test
    void refusesARecipeThatCanNotBeReadBeforeItStartsAnything() {
        assertThat(execute("--set", "rollout.slots=0")).isEqualTo(2);
        assertThat(text()).contains("rollout.slots");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void refusesMoreKillsThanStepsCanHold() {
        assertThat(execute("--kills", "30", "--steps", "30")).isEqualTo(2);
        assertThat(text()).contains("--steps must be at least --kills and 4 more");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void refusesAKindThatThereIsNot() {
        assertThat(execute("--kinds", "earthquake")).isEqualTo(2);
    }

    private int execute(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(
                List.of(
                        "--recipe",
                        "recipes/soak.yaml",
                        "--output",
                        folder.resolve("out").toString()));
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        return new CommandLine(new SoakCommand(out))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(all.toArray(String[]::new));
    }

    private String text() {
        return printed.toString(StandardCharsets.UTF_8);
    }
}
