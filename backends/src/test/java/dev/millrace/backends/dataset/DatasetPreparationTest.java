package dev.millrace.backends.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.udfs.dataset.RowFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatasetPreparationTest {
    @TempDir Path folder;

    private PreparationReport prepare(int limit, Path... sources) throws Exception {
        RowFilter filter = new RowFilter("A", Set.of("python"), Set.of("parse_log_pytest"));
        PreparationRequest request =
                new PreparationRequest(
                        List.of(sources),
                        RowFormat.AUTO,
                        TestCommands.known(),
                        folder.resolve("data"),
                        limit,
                        filter,
                        0,
                        null,
                        new PreparationRequest.Origin("", "", ""));
        return new DatasetPreparation(request, line -> {}).run();
    }

    private Path source(List<String> lines) throws IOException {
        return Files.write(folder.resolve("rows.jsonl"), lines);
    }

    private static List<String> rows(int count) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            lines.add(RowLine.rebench("org__sums-" + i, "Org/Sums" + i % 9).toString());
        }
        return lines;
    }

    @Test
    void writesTasksRowsAndSubsets() throws Exception {
        PreparationReport report = prepare(0, source(rows(40)));
        assertThat(report.tasks()).isEqualTo(40);
        assertThat(report.subsets()).containsKeys("train-full", "eval", "train-4", "eval-4");
        assertThat(report.subsets()).doesNotContainKey("train-100");
        Path root = folder.resolve("data");
        Path task = root.resolve("tasks/org__sums-3");
        assertThat(task.resolve("instruction.md")).hasContent("Grüße.");
        assertThat(Files.isExecutable(task.resolve("tests/test.sh"))).isTrue();
        assertThat(task.resolve("task.toml")).content().contains("workdir = \"/Sums3\"");
        JsonNode config = RowLine.JSON.readTree(task.resolve("tests/config.json").toFile());
        assertThat(config.get("FAIL_TO_PASS").asText())
                .isEqualTo("[\"tests/test_sums.py::test_adds\"]");
        List<String> all = Files.readAllLines(root.resolve("all.converted.jsonl"));
        List<String> parts = new ArrayList<>(Files.readAllLines(root.resolve("eval.jsonl")));
        parts.addAll(Files.readAllLines(root.resolve("train-full.jsonl")));
        assertThat(parts).containsExactlyInAnyOrderElementsOf(all);
        JsonNode row = RowLine.JSON.readTree(all.get(3));
        assertThat(row.at("/metadata/task_path").asText()).isEqualTo("data/tasks/org__sums-3");
        assertThat(row.at("/metadata/source/created_at").isNumber()).isTrue();
        assertThat(all.get(3)).contains("Grüße.");
    }

    @Test
    void countsWhatIsRejectedAndSaysWhere() throws Exception {
        ObjectNode graded = RowLine.rebench("org__sums-90", "Org/Sums");
        ((ObjectNode) graded.at("/meta/llm_metadata")).put("code", "B2");
        List<String> lines = new ArrayList<>(rows(2));
        lines.add("{\"broken\": ");
        lines.add("");
        lines.add(graded.toString());
        lines.add(lines.get(0));
        PreparationReport report = prepare(0, source(lines));
        assertThat(report.rows()).isEqualTo(5);
        assertThat(report.rejections())
                .containsEntry("malformed row", 1L)
                .containsEntry("quality grade", 1L)
                .containsEntry("duplicate instance_id", 1L);
        List<String> rejected = Files.readAllLines(folder.resolve("data/rejected.jsonl"));
        JsonNode first = RowLine.JSON.readTree(rejected.get(0));
        assertThat(first.get("line").asInt()).isEqualTo(3);
        assertThat(first.get("reason").asText())
                .startsWith("malformed row: no JSON")
                .doesNotContain("Source");
    }

    @Test
    void stopsAtItsLimitOfTasks() throws Exception {
        assertThat(prepare(3, source(rows(9))).tasks()).isEqualTo(3);
    }

    @Test
    void aFormerDatasetIsReplacedAndNothingElseIsLeft() throws Exception {
        prepare(0, source(rows(6)));
        prepare(0, source(rows(2)));
        try (Stream<Path> tasks = Files.list(folder.resolve("data/tasks"))) {
            assertThat(tasks).hasSize(2);
        }
        try (Stream<Path> siblings = Files.list(folder)) {
            assertThat(siblings.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("data", "rows.jsonl");
        }
    }

    @Test
    void whatKilledPreparationsLeftIsPutRight() throws Exception {
        prepare(0, source(rows(6)));
        // No process has such a number.
        Files.move(folder.resolve("data"), folder.resolve(".data.old-999999999"));
        Files.createDirectory(folder.resolve(".data.new-999999999"));
        Files.createDirectory(folder.resolve(".data.new-notes"));
        Path empty = source(List.of("{}"));
        assertThatThrownBy(() -> prepare(0, empty)).isInstanceOf(EmptyDatasetException.class);
        try (Stream<Path> siblings = Files.list(folder)) {
            assertThat(siblings.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("data", ".data.new-notes", "rows.jsonl");
        }
        assertThat(folder.resolve("data/tasks/org__sums-5")).exists();
    }

    @Test
    void namesThatNoFileCanHaveAreRejected() throws Exception {
        List<String> lines = new ArrayList<>(rows(1));
        lines.add(RowLine.rebench("x".repeat(300), "Org/Sums").toString());
        assertThat(prepare(0, source(lines)).rejections()).containsEntry("malformed row", 1L);
    }

    @Test
    void saysWhichRepositoryNobodyKnowsHowToTest() throws Exception {
        ObjectNode plain = RowLine.rebench("org__sums-1", "Org/Sums");
        plain.remove(List.of("image_name", "install_config", "language", "meta"));
        plain.put("version", "1.2");
        List<String> lines = new ArrayList<>(rows(1));
        lines.add(plain.toString().replace("org__sums-1", "org__sums-7"));
        assertThat(prepare(0, source(lines)).rejections()).containsEntry("no test command", 1L);
        assertThat(folder.resolve("data/rejected.jsonl"))
                .content()
                .contains("none is known for Org/Sums 1.2; --test-commands can give one");
    }

    @Test
    void aFormerDatasetStaysWhenNothingIsAccepted() throws Exception {
        prepare(0, source(rows(6)));
        Path empty = source(List.of("{}"));
        assertThatThrownBy(() -> prepare(0, empty))
                .isInstanceOf(EmptyDatasetException.class)
                .hasMessageContaining("none of 1 rows");
        assertThat(folder.resolve("data/tasks/org__sums-5")).exists();
    }

    @Test
    void readsParquet() throws Exception {
        Path file = folder.resolve("rows.parquet");
        try (var in = DatasetPreparationTest.class.getResourceAsStream("rows.parquet")) {
            Files.copy(in, file);
        }
        PreparationReport report = prepare(0, file);
        assertThat(report.rows()).isEqualTo(3);
        assertThat(report.tasks() + report.rejections().values().stream().mapToLong(n -> n).sum())
                .isEqualTo(3);
        assertThat(report.rejections()).doesNotContainKey("malformed row");
        JsonNode row =
                RowLine.JSON.readTree(
                        Files.readAllLines(folder.resolve("data/all.converted.jsonl")).get(0));
        Path task = folder.resolve(row.at("/metadata/task_path").asText());
        assertThat(task.resolve("tests/config.json")).content().contains("test_a.py::test_2");
    }
}
