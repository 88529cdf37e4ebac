package dev.millrace.jobs.launch;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.udfs.model.Task;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Lists tasks that lie in folders as the rows of a dataset. */
final class SubsetWriter {
    private static final ObjectMapper JSON = new ObjectMapper();

    private SubsetWriter() {}

    static void write(List<Task> tasks, Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        for (Task task : tasks) {
            Path folder = Path.of(URI.create(task.uri()));
            String instruction = Files.readString(folder.resolve("instruction.md"));
            ObjectNode row = JSON.createObjectNode();
            row.putArray("prompt").addObject().put("role", "user").put("content", instruction);
            row.put("label", task.taskId());
            ObjectNode metadata = row.putObject("metadata");
            metadata.put("task_type", "harbor");
            metadata.put("instance_id", task.taskId());
            metadata.put("problem_statement", instruction);
            metadata.put("task_path", folder.toString());
            metadata.putObject("source").put("repo", task.taskId()).put("language", task.family());
            lines.add(JSON.writeValueAsString(row));
        }
        Files.write(file, lines);
    }
}
