package dev.millrace.pipeline.adapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.Task;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskRowsTest {
    private static final TaskRows ROWS = new TaskRows("/data/sets");

    private static Task task(String row) {
        return ROWS.task(row.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aRowOfADatasetIsATaskBelowTheRoot() {
        Task task =
                task(
                        """
                        {"prompt":[{"role":"user","content":"Fix it"}],"label":"one",
                         "metadata":{"task_type":"harbor","instance_id":"a__b-1",
                         "task_path":"set/tasks/a b","source":{"repo":"a/b","language":"go"}}}
                        """);
        assertThat(task.taskId()).isEqualTo("a__b-1");
        assertThat(Path.of(URI.create(task.uri()))).isEqualTo(Path.of("/data/sets/set/tasks/a b"));
        assertThat(task.split()).isEqualTo(Split.TRAIN);
        assertThat(task.family()).isEqualTo("go");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                                                              | 'metadata' is",
                "{\"metadata\":                                                  | no JSON",
                "[]                                                              | 'metadata' is",
                "{\"metadata\":{\"instance_id\":\"a\"}}                          | task_path is",
                "{\"metadata\":{\"instance_id\":\" \",\"task_path\":\"x\"}}        | instance_id"
                        + " is",
                "{\"metadata\":{\"instance_id\":\"a\",\"task_path\":\"../x\"}}     | leaves"
                        + " tasks.root",
                "{\"metadata\":{\"instance_id\":\"a\",\"task_path\":\"/etc\"}}     | leaves"
                        + " tasks.root",
                "{\"metadata\":{\"instance_id\":\"a\",\"task_path\":\".\"}}        | leaves"
                        + " tasks.root",
                "{\"metadata\":{\"instance_id\":\"a\",\"task_path\":\"a\\u0000\"}} | Nul character",
            },
            quoteCharacter = '^')
    void whatIsNoneSaysWhy(String row, String reason) {
        String text = row.equals("''") ? "" : row;
        assertThatThrownBy(() -> task(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }
}
