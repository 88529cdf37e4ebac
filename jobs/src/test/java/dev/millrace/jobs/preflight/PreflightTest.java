package dev.millrace.jobs.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.pipeline.settings.TaskSettings;
import dev.millrace.udfs.model.Split;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PreflightTest {
    @TempDir private Path folder;

    @Test
    void aNewRunNeedsAnEmptyFolderOrNone() throws IOException {
        assertThat(new OutputFolderCheck(folder, false).refusal()).isEmpty();
        assertThat(new OutputFolderCheck(folder.resolve("a/b"), false).refusal()).isEmpty();
        Path file = Files.writeString(folder.resolve("old"), "x");
        assertThat(new OutputFolderCheck(folder, false).refusal().orElseThrow())
                .contains(folder + " is not empty; add --resume");
        assertThat(new OutputFolderCheck(file, false).refusal().orElseThrow())
                .contains("is not a folder");
        assertThat(new OutputFolderCheck(file.resolve("below"), false).refusal().orElseThrow())
                .contains("can't be made");
    }

    @Test
    void aResumedRunNeedsTheFolderThatItLeft() throws IOException {
        assertThat(new OutputFolderCheck(folder, true).refusal().orElseThrow())
                .contains("holds no run to resume");
        Files.writeString(folder.resolve("config.yaml"), "run: {}");
        assertThat(new OutputFolderCheck(folder, true).refusal()).isEmpty();
    }

    @Test
    void refusesADiskWithoutRoom() {
        Path output = folder.resolve("not/yet/there");
        assertThat(new FreeDiskCheck(output, 1).refusal()).isEmpty();
        assertThat(new FreeDiskCheck(output, Long.MAX_VALUE >> 20).refusal().orElseThrow())
                .contains("limits.minFreeDiskMb");
    }

    @Test
    void refusesAPortInUse() throws IOException {
        int port;
        try (ServerSocket used = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = used.getLocalPort();
            assertThat(new WebPortCheck(port).refusal().orElseThrow())
                    .contains("port " + port, "--set flink.webPort=0");
        }
        assertThat(new WebPortCheck(port).refusal()).isEmpty();
        assertThat(new WebPortCheck(0).refusal()).isEmpty();
    }

    @Test
    void refusesATaskFolderWithoutTasks() throws IOException {
        assertThat(new TaskFolderCheck(tasks(folder.resolve("none"))).refusal().orElseThrow())
                .contains("does not exist");
        assertThat(new TaskFolderCheck(tasks(folder)).refusal().orElseThrow())
                .contains("task.toml");
        Path task = Files.createDirectories(folder.resolve("first"));
        Files.writeString(task.resolve("task.toml"), "version = \"1.0\"\n");
        assertThat(new TaskFolderCheck(tasks(folder)).refusal().orElseThrow())
                .contains("first", "instruction.md");
        Files.writeString(task.resolve("instruction.md"), "Repair it.\n");
        Files.writeString(
                Files.createDirectories(task.resolve("tests")).resolve("test.sh"), "true\n");
        Files.writeString(
                Files.createDirectories(task.resolve("environment")).resolve("Dockerfile"),
                "FROM debian\n");
        assertThat(new TaskFolderCheck(tasks(folder)).refusal()).isEmpty();
        TaskSettings generated = settings(TaskSettings.Source.GENERATED, "", "");
        assertThat(new TaskFolderCheck(generated).refusal()).isEmpty();
    }

    @Test
    void tasksMayNameVariablesThatTheUserHandsToThem() throws IOException {
        Path task = Files.createDirectories(folder.resolve("first"));
        Files.writeString(
                task.resolve("task.toml"),
                "version = \"1.0\"\n[environment.env]\nWHERE = \"${PATH}\"\n");
        Files.writeString(task.resolve("instruction.md"), "Repair it.\n");
        Files.writeString(
                Files.createDirectories(task.resolve("tests")).resolve("test.sh"), "true\n");
        Files.writeString(
                Files.createDirectories(task.resolve("environment")).resolve("Dockerfile"),
                "FROM debian\n");
        assertThat(new TaskFolderCheck(tasks(folder)).refusal().orElseThrow())
                .contains("environment.env.WHERE", "PATH", "tasks.variables");
        assertThat(new TaskFolderCheck(tasks(folder, "HOME,PATH")).refusal()).isEmpty();
    }

    @Test
    void refusesAJavaThatWasNotMeant() {
        assertThat(new JavaVersionCheck(17).refusal()).isEmpty();
        assertThat(new JavaVersionCheck(16).refusal().orElseThrow()).contains("this is Java 16");
        assertThat(new JavaVersionCheck(24).refusal().orElseThrow()).contains("this is Java 24");
    }

    @Test
    void saysAllThatIsWrongInOrder() {
        assertThat(
                        Preflight.refusals(
                                List.of(
                                        () -> Optional.of("first"),
                                        Optional::empty,
                                        () -> Optional.of("second"))))
                .containsExactly("first", "second");
    }

    private static TaskSettings tasks(Path path) {
        return tasks(path, "");
    }

    private static TaskSettings tasks(Path path, String variables) {
        return settings(TaskSettings.Source.FOLDER, path.toString(), variables);
    }

    private static TaskSettings settings(
            TaskSettings.Source source, String path, String variables) {
        return new TaskSettings(
                source, path, 1, 1, 1, Split.TEST, variables, "", "", false, false, "", "");
    }

    @Test
    void refusesSettingsThatARunInThisProcessWouldIgnore() throws Exception {
        java.nio.file.Path demo = java.nio.file.Path.of("../recipes/demo.yaml");
        assertThat(
                        new LocalSettingsCheck(
                                        dev.millrace.pipeline.settings.RecipeReader.read(
                                                java.util.List.of(demo), java.util.List.of()))
                                .refusal())
                .isEmpty();
        assertThat(
                        new LocalSettingsCheck(
                                        dev.millrace.pipeline.settings.RecipeReader.read(
                                                java.util.List.of(demo),
                                                java.util.List.of(
                                                        "kafka.bootstrap=a:9092",
                                                        "eval.greedy=false")))
                                .refusal())
                .hasValueSatisfying(
                        text -> assertThat(text).contains("kafka.bootstrap", "eval.greedy"));
    }

    @Test
    void lockstepNeedsSumsOfOneThread() throws Exception {
        Path demo = Path.of("../recipes/demo.yaml");
        var recipe =
                dev.millrace.pipeline.settings.RecipeReader.read(
                        List.of(demo), List.of("run.determinism=lockstep", "train.maxLag=0"));
        String before = System.getProperty("ai.djl.pytorch.num_threads");
        try {
            System.setProperty("ai.djl.pytorch.num_threads", "2");
            assertThat(new LocalSettingsCheck(recipe).refusal().orElseThrow())
                    .contains("run.determinism must be free", "ai.djl.pytorch.num_threads is 2");
            System.setProperty("ai.djl.pytorch.num_threads", "1");
            assertThat(new LocalSettingsCheck(recipe).refusal()).isEmpty();
        } finally {
            if (before == null) {
                System.clearProperty("ai.djl.pytorch.num_threads");
            } else {
                System.setProperty("ai.djl.pytorch.num_threads", before);
            }
        }
    }
}
