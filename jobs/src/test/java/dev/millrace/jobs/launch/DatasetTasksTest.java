package dev.millrace.jobs.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.backends.dataset.RejectedRow;
import dev.millrace.backends.harbor.HarborTaskLoader;
import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.jobs.preflight.TaskFolderCheck;
import dev.millrace.pipeline.settings.TaskSettings;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.Task;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatasetTasksTest {
    @TempDir Path folder;
    private Path root;
    private Path run;

    @BeforeEach
    void write() throws IOException {
        root = folder.resolve("data");
        run = folder.resolve("run");
        for (String id : List.of("a", "b", "e")) {
            Path task = root.resolve("tasks").resolve(id);
            Files.createDirectories(task.resolve("environment"));
            Files.createDirectories(task.resolve("tests"));
            Files.writeString(task.resolve("task.toml"), "[environment]\nworkdir = \"/w\"\n");
            Files.writeString(task.resolve("environment/Dockerfile"), "FROM scratch\n");
            Files.writeString(task.resolve("instruction.md"), "Mend it.\n");
            Files.writeString(task.resolve("tests/test.sh"), "true\n");
        }
        Files.write(root.resolve("train-4.jsonl"), List.of(row("a"), row("b")));
        Files.write(root.resolve("eval.jsonl"), List.of(row("e")));
    }

    private static String row(String id) {
        return "{\"label\":\""
                + id
                + "\",\"metadata\":{\"instance_id\":\""
                + id
                + "\",\"task_path\":\"data/tasks/"
                + id
                + "\",\"source\":{\"language\":\"go\"}}}";
    }

    private TaskSettings settings(boolean strict) {
        return settings(TaskSettings.Source.DATASET, "train-4", strict);
    }

    private TaskSettings settings(TaskSettings.Source source, String subset, boolean strict) {
        return new TaskSettings(
                source,
                root.toString(),
                1,
                1,
                1,
                Split.TEST,
                "",
                subset,
                "",
                strict,
                false,
                "",
                "");
    }

    private List<Task> read(boolean strict) throws IOException {
        return DatasetTasks.read(settings(strict), new HarborTaskLoader(), run.resolve("tasks"))
                .tasks();
    }

    @Test
    void readsWhatIsTrainedOnAndWhatMeasures() throws IOException {
        assertThat(read(true)).extracting(Task::taskId).containsExactly("a", "b", "e");
        assertThat(read(true))
                .extracting(Task::split)
                .containsExactly(Split.TRAIN, Split.TRAIN, Split.TEST);
        assertThat(read(true).get(0).family()).isEqualTo("go");
        assertThat(run.resolve(DatasetTasks.REJECTED)).doesNotExist();
    }

    @Test
    void namesAllMissingSubsetsBeforeAnythingStarts() throws IOException {
        Files.delete(root.resolve("train-4.jsonl"));
        Files.delete(root.resolve("eval.jsonl"));
        assertThat(new TaskFolderCheck(settings(false)).refusal())
                .hasValueSatisfying(
                        refusal ->
                                assertThat(refusal)
                                        .contains("train-4.jsonl", "eval.jsonl", "missing"));
    }

    @Test
    void setsRowsAsideThatAreNoTasks() throws IOException {
        Files.write(
                root.resolve("train-4.jsonl"),
                List.of(
                        "{",
                        row("a"),
                        row("a"),
                        row("nowhere"),
                        "{\"metadata\":{}}",
                        row("../../../b")));
        assertThat(read(false)).extracting(Task::taskId).containsExactly("a", "e");
        List<String> rejected = Files.readAllLines(run.resolve(DatasetTasks.REJECTED));
        assertThat(rejected).hasSize(5);
        assertThat(rejected.get(0)).contains("train-4.jsonl", "\"line\":1", "no JSON");
        assertThat(rejected.toString())
                .contains("there before", "there is no task", "blank", "leaves the folder");
    }

    @Test
    void setsRowsAsideWhoseTaskCanNotBePlayed() throws IOException {
        Files.writeString(root.resolve("tasks/b/task.toml"), "[environment\n");
        Files.delete(root.resolve("tasks/e/tests/test.sh"));
        Files.write(root.resolve("eval.jsonl"), List.of(row("e")));
        assertThat(read(false)).extracting(Task::taskId).containsExactly("a");
        TaskCatalogue catalogue =
                DatasetTasks.read(settings(false), new HarborTaskLoader(), run.resolve("tasks"));
        assertThat(catalogue.rejected())
                .extracting(RejectedRow::line, row -> Path.of(row.file()).getFileName().toString())
                .containsExactly(tuple(2L, "train-4.jsonl"), tuple(1L, "eval.jsonl"));
        assertThat(catalogue.rejected().get(0).reason()).contains("task.toml");
        assertThat(catalogue.rejected().get(1).reason()).contains("test.sh");
    }

    @Test
    void strictModeNamesAllThatAreNoneAtTheFirstStart() throws IOException {
        List<String> rows = new ArrayList<>(List.of(row("a")));
        IntStream.range(0, 50).forEach(i -> rows.add(row("nowhere" + i)));
        Files.write(root.resolve("train-4.jsonl"), rows);
        assertThatThrownBy(() -> read(true))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("50 rows are no tasks")
                .hasMessageContaining("train-4.jsonl:2:")
                .hasMessageContaining("train-4.jsonl:51:");
    }

    @Test
    void refusesToTrainOnNothing() throws IOException {
        Files.write(root.resolve("train-4.jsonl"), List.of(row("nowhere")));
        assertThatThrownBy(() -> read(false))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("no row of train-4 is a task");
    }

    @Test
    void aFileOfRowsChoosesFromOtherTasks() throws IOException {
        TaskCatalogue pool =
                new TaskCatalogue(
                        List.of(
                                new Task("a", "file:/a", Split.TRAIN, ""),
                                new Task("b", "file:/b", Split.TRAIN, ""),
                                new Task("e", "file:/e", Split.TEST, "")),
                        List.of());
        Path rows = folder.resolve("chosen.jsonl");
        Files.write(rows, List.of(row("b")));
        TaskSettings chosen = settings(TaskSettings.Source.FOLDER, rows.toString(), false);
        assertThat(ChosenTasks.of(pool, chosen).tasks())
                .extracting(Task::taskId)
                .containsExactly("b", "e");
        Files.write(rows, List.of(row("b"), row("e")));
        assertThatThrownBy(() -> ChosenTasks.of(pool, chosen))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("chosen.jsonl:2: e");
    }
}
