package dev.millrace.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.jobs.view.DisplayStyle;
import dev.millrace.pipeline.settings.Recipe;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {
    @TempDir private Path folder;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final List<RunRequest> started = new ArrayList<>();
    private final List<Path> validated = new ArrayList<>();
    private Optional<String> sandboxRefusal = Optional.empty();
    private int runExit = ExitCode.OK;
    private Path recipe;

    @BeforeEach
    void writeRecipe() throws Exception {
        recipe = folder.resolve("r.yaml");
        Files.writeString(
                recipe,
                """
                run: {name: mine}
                tasks: {source: generated}
                train: {steps: 9}
                flink: {webPort: 0}
                limits: {minFreeDiskMb: 1}
                """);
        Files.writeString(folder.resolve("r-smoke.yaml"), "train: {steps: 2}\n");
    }

    @Test
    void startsARunWithEverythingTheCommandLineAskedFor() throws Exception {
        Path output = folder.resolve("out");
        int exit =
                millrace(
                        "train",
                        "--recipe",
                        recipe.toString(),
                        "--output",
                        output.toString(),
                        "--seed",
                        "7",
                        "--smoke",
                        "--set",
                        "train.passes=5");
        assertThat(text(err)).isEmpty();
        assertThat(exit).isEqualTo(ExitCode.OK);
        RunRequest request = started.get(0);
        assertThat(request.recipe().run().seed()).isEqualTo(7);
        assertThat(request.recipe().train().steps()).isEqualTo(2);
        assertThat(request.recipe().train().passes()).isEqualTo(5);
        assertThat(request.smoke()).isTrue();
        assertThat(Files.readString(output.resolve("config.yaml")))
                .isEqualTo(request.recipe().toYaml());
    }

    @Test
    void shortNamesStandForSettings() throws Exception {
        String output = folder.resolve("out").toString();
        assertThat(
                        millrace(
                                "train",
                                "--recipe",
                                recipe.toString(),
                                "--output",
                                output,
                                "--clients",
                                "3",
                                "--steps",
                                "30",
                                "--groups-per-batch",
                                "18",
                                "--hours",
                                "1.5"))
                .isEqualTo(ExitCode.OK);
        Recipe begun = started.get(0).recipe();
        assertThat(begun.run().clients()).isEqualTo(3);
        assertThat(begun.train().groupsPerBatch()).isEqualTo(18);
        assertThat(begun.limits().maxMinutes()).isEqualTo(90);
        assertThat(begun.train().steps()).isEqualTo(30);
        millrace("train", "--resume", "--output", output, "--steps", "40");
        assertThat(started.get(1).recipe().train().steps()).isEqualTo(40);
        assertThat(Path.of(output, "config.yaml"))
                .as("a resumed run may still be refused; its recipe is kept when it no longer can")
                .content()
                .isEqualTo(begun.toYaml());
        assertThat(millrace("train", "--recipe", recipe.toString(), "--steps", "0"))
                .isEqualTo(ExitCode.BAD_INPUT);
        assertThat(text(err)).contains("train.steps");
        millrace(
                "train",
                "--resume",
                "--output",
                output,
                "--steps",
                "40",
                "--set",
                "train.steps=41");
        assertThat(started.get(2).recipe().train().steps()).isEqualTo(41);
    }

    @Test
    void resumesWithTheRecipeThatTheRunWasStartedWith() {
        Path output = folder.resolve("out");
        assertThat(millrace("train", "--recipe", recipe.toString(), "--output", output.toString()))
                .isEqualTo(ExitCode.OK);
        assertThat(millrace("train", "--resume", "--output", output.toString()))
                .isEqualTo(ExitCode.OK);
        assertThat(started.get(1).resume()).isTrue();
        assertThat(started.get(1).recipe()).isEqualTo(started.get(0).recipe());
    }

    @Test
    void exportsOnlyWhatIsARunInAFormatThatItKnows() {
        String here = folder.toString();
        String out = folder.resolve("jobs").toString();
        assertThat(millrace("export", here, "--format", "harbor", "--output", out))
                .isEqualTo(ExitCode.BAD_INPUT);
        assertThat(text(err)).contains("holds no run").doesNotContain("\tat ");
        assertThat(millrace("export", here, "--format", "tar", "--output", out))
                .isEqualTo(ExitCode.BAD_INPUT);
        assertThat(millrace("export", "--format", "harbor", "--output", out))
                .isEqualTo(ExitCode.BAD_INPUT);
    }

    @Test
    void reapsForOneRunOrForAll() {
        assertThat(millrace("reap", "--owner", "demo-1")).isEqualTo(ExitCode.OK);
        assertThat(millrace("reap", "--all")).isEqualTo(ExitCode.OK);
        assertThat(millrace("reap")).isEqualTo(ExitCode.OK);
        assertThat(millrace("reap", "--all", "--owner", "demo-1")).isEqualTo(ExitCode.BAD_INPUT);
    }

    @Test
    void aFailedRunEndsWithItsOwnExitCode() {
        runExit = ExitCode.FAILED;
        assertThat(
                        millrace(
                                "train",
                                "--recipe",
                                recipe.toString(),
                                "--output",
                                folder.resolve("out").toString()))
                .isEqualTo(ExitCode.FAILED);
    }

    @Test
    void saysEverythingThatIsWrongBeforeAnythingStarts() throws Exception {
        sandboxRefusal = Optional.of("bubblewrap is missing; install it");
        Path output = Files.createDirectories(folder.resolve("full"));
        Files.writeString(output.resolve("x"), "x");
        int exit = millrace("train", "--recipe", recipe.toString(), "--output", output.toString());
        assertThat(exit).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(text(err))
                .isEqualTo(
                        "The run can't start:\n  output "
                                + output
                                + " is not empty; add --resume to go on with its run, or choose"
                                + " another --output\n  bubblewrap is missing; install it\n");
        assertThat(started).isEmpty();
    }

    @Test
    void refusesSettingsWithTheirPlaces() {
        assertThat(millrace("validate", "--recipe", recipe.toString(), "--set", "train.step=3"))
                .isEqualTo(ExitCode.BAD_INPUT);
        assertThat(text(err))
                .isEqualTo(
                        "Settings refused:\n  --set: train.step: no such setting; did you mean"
                                + " train.steps?\n");
    }

    @Test
    void refusesWhatItDoesNotUnderstandInOneMessage() {
        assertThat(millrace("train", "--recpie", "x")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(text(err)).contains("--recpie", "did you mean --recipe", "Try: millrace train");
        assertThat(millrace()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(millrace("train")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(millrace("train", "--resume")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(millrace("train", "--resume", "--output", folder.resolve("no").toString()))
                .isEqualTo(ExitCode.BAD_INPUT);
        assertThat(millrace("demo", "--seed", "x")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(text(err)).doesNotContain("Exception", "\tat ");
    }

    @Test
    void validatePrintsTheWholeRecipe() {
        assertThat(millrace("validate", "--recipe", recipe.toString())).isEqualTo(ExitCode.OK);
        assertThat(text(out)).contains("  name: mine\n", "  steps: 9\n", "  groupSize: 8\n");
    }

    @Test
    void validateChecksEitherARecipeOrTasks() {
        runExit = ExitCode.FAILED;
        assertThat(millrace("validate", "--tasks", folder.toString())).isEqualTo(ExitCode.FAILED);
        assertThat(validated).containsExactly(folder);
        assertThat(millrace("validate")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(millrace("validate", "--tasks", "a", "--recipe", "b"))
                .isEqualTo(ExitCode.BAD_INPUT);
    }

    @Test
    void summarizeRefusesAFolderWithoutARun() {
        assertThat(millrace("summarize", "--output", folder.toString()))
                .isEqualTo(ExitCode.BAD_INPUT);
        assertThat(text(err)).contains("holds no run");
    }

    @Test
    void helpNamesEveryCommand() {
        assertThat(millrace("--help")).isEqualTo(ExitCode.OK);
        assertThat(text(out))
                .contains("demo", "train", "validate", "summarize", "settings", "millrace test");
    }

    private int millrace(String... arguments) {
        Console console =
                new Console(stream(out), stream(err), new DisplayStyle(false, false, true));
        RunLauncher launcher =
                new RunLauncher() {
                    @Override
                    public int run(RunRequest request) {
                        started.add(request);
                        return runExit;
                    }

                    @Override
                    public int reap(Optional<String> owner, PrintStream target) {
                        target.println("reaped for " + owner.orElse("all"));
                        return ExitCode.OK;
                    }

                    @Override
                    public Optional<String> sandboxRefusal(Recipe asked) {
                        return sandboxRefusal;
                    }

                    @Override
                    public int validate(Path tasks, Recipe asked, PrintStream report) {
                        validated.add(tasks);
                        return runExit;
                    }
                };
        return Main.execute(console, () -> launcher, arguments);
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
