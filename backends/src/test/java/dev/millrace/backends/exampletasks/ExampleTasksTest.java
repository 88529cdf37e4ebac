package dev.millrace.backends.exampletasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.udfs.model.Split;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExampleTasksTest {
    private static final List<ExampleTask> TASKS = ExampleTasks.generate(1, Counts.DEFAULT);

    @TempDir private Path directory;

    @Test
    void drawsTheSameTasksForTheSameSeed() {
        assertThat(ExampleTasks.generate(1, Counts.DEFAULT)).isEqualTo(TASKS);
        assertThat(ExampleTasks.generate(2, Counts.DEFAULT)).isNotEqualTo(TASKS);
    }

    @Test
    void drawsAsManyAsAskedForFromEveryFamily() {
        Map<Split, Long> bySplit =
                TASKS.stream()
                        .collect(Collectors.groupingBy(ExampleTask::split, Collectors.counting()));
        assertThat(bySplit)
                .containsEntry(Split.TRAIN, 400L)
                .containsEntry(Split.VALIDATION, 40L)
                .containsEntry(Split.TEST, 40L);
        Map<String, Long> tested =
                of(Split.TEST).stream()
                        .collect(Collectors.groupingBy(ExampleTask::family, Collectors.counting()));
        assertThat(tested)
                .hasSize(Family.values().length)
                .allSatisfy((f, n) -> assertThat(n).isEqualTo(8));
    }

    @Test
    void sharesNoRepositoryBetweenTasks() {
        assertThat(TASKS.stream().map(ExampleTask::repository)).doesNotHaveDuplicates();
        assertThat(TASKS.stream().map(ExampleTask::id)).doesNotHaveDuplicates();
    }

    @Test
    void sharesNoRepairBetweenSplits() {
        Set<String> train = repairs(Split.TRAIN);
        Set<String> validation = repairs(Split.VALIDATION);
        Set<String> test = repairs(Split.TEST);
        assertThat(train).doesNotContainAnyElementsOf(validation).doesNotContainAnyElementsOf(test);
        assertThat(validation).doesNotContainAnyElementsOf(test);
    }

    @Test
    void usesOnlyWordsInHeldOutTasksThatTrainingTasksUse() {
        Set<String> known = new HashSet<>();
        of(Split.TRAIN).forEach(task -> known.addAll(words(task)));
        for (ExampleTask task : TASKS) {
            assertThat(known).as(task.id()).containsAll(words(task));
        }
    }

    @Test
    void saysNothingAboutTheDefectInTheInstruction() {
        assertThat(TASKS.stream().map(ExampleTask::instruction).distinct()).hasSize(3);
    }

    @Test
    void keepsTheTestsOutOfTheRepository() {
        for (ExampleTask task : TASKS) {
            assertThat(task.files().keySet())
                    .as(task.id())
                    .contains(
                            "task.toml",
                            "instruction.md",
                            "environment/Dockerfile",
                            "solution/solve.sh",
                            "tests/test.sh",
                            "tests/check.py");
            assertThat(task.repository().values()).noneMatch(text -> text.contains("assert"));
        }
    }

    @Test
    void failsTheCheckBeforeTheRepairAndPassesAfterIt() throws Exception {
        List<ExampleTask> some = TASKS.stream().filter(t -> t.id().hashCode() % 8 == 0).toList();
        assertThat(some.stream().map(ExampleTask::family).distinct())
                .hasSize(Family.values().length);
        for (ExampleTask task : some) {
            Path workspace = Files.createDirectory(directory.resolve(task.id()));
            for (Map.Entry<String, String> file : task.repository().entrySet()) {
                Files.writeString(workspace.resolve(file.getKey()), file.getValue());
            }
            assertThat(passes(task, workspace)).as(task.id() + " before").isFalse();
            assertThat(run(workspace, "sh", "-c", task.repair())).as(task.id()).isZero();
            assertThat(passes(task, workspace)).as(task.id() + " after").isTrue();
        }
    }

    @Test
    void writesHarborFoldersWithProgramsThatMayRun() throws IOException {
        List<ExampleTask> tasks = ExampleTasks.generate(3, new Counts(5, 1, 1));
        ExampleTasks.write(tasks, directory);
        Path folder = directory.resolve("train").resolve(tasks.get(0).id());
        assertThat(folder.resolve("task.toml")).isRegularFile();
        assertThat(folder.resolve("tests/test.sh")).isExecutable();
        assertThat(folder.resolve("solution/solve.sh")).isExecutable();
        assertThat(directory.resolve("validation")).isDirectoryContaining("glob:**/validation-*");
        assertThat(directory.resolve("test")).isDirectoryContaining("glob:**/test-*");
    }

    @Test
    void refusesMoreTasksThanThereAre() {
        assertThatThrownBy(() -> ExampleTasks.generate(1, new Counts(0, 0, 5_000)))
                .hasMessageContaining("not enough different tasks");
    }

    private static List<ExampleTask> of(Split split) {
        return TASKS.stream().filter(task -> task.split() == split).toList();
    }

    private static Set<String> repairs(Split split) {
        return of(split).stream().map(ExampleTask::repair).collect(Collectors.toSet());
    }

    private static Set<String> words(ExampleTask task) {
        String all = task.repository() + " " + task.repair() + " " + task.instruction();
        return new HashSet<>(List.of(all.split("[^A-Za-z]+", -1)));
    }

    private static boolean passes(ExampleTask task, Path workspace) throws Exception {
        String check = task.check().replace("/workspace", workspace.toString());
        Path script = Files.writeString(workspace.resolveSibling(task.id() + ".check"), check);
        return run(workspace, "python3", "-I", "-S", "-B", script.toString()) == 0;
    }

    private static int run(Path workspace, String... command) throws Exception {
        Process process =
                new ProcessBuilder(command)
                        .directory(workspace.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }
}
