package dev.millrace.backends.dataset;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.udfs.dataset.DatasetRow;

/** The line that stands for a task in the subsets of a dataset. */
final class ConvertedRow {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int TIMEOUT_SECONDS = 1800;
    private static final int CPUS = 2;
    private static final int MEMORY_MB = 8192;

    private ConvertedRow() {}

    /**
     * @param name of the task
     * @param taskPath of its folder, below the folder that all datasets lie in
     */
    static String line(DatasetRow row, String name, String taskPath)
            throws JsonProcessingException {
        ObjectNode line = JSON.createObjectNode();
        line.putArray("prompt")
                .addObject()
                .put("role", "user")
                .put("content", row.problemStatement());
        line.put("label", name);
        ObjectNode metadata = line.putObject("metadata");
        metadata.put("task_type", "harbor");
        metadata.put("instance_id", row.instanceId());
        metadata.put("docker_image", row.imageName());
        metadata.put("workdir", row.workdir());
        metadata.put("problem_statement", row.problemStatement());
        metadata.put("agent_timeout_sec", TIMEOUT_SECONDS);
        metadata.put("build_timeout_sec", (double) TIMEOUT_SECONDS);
        metadata.putObject("verifier").put("timeout_sec", (double) TIMEOUT_SECONDS);
        metadata.put("cpus", CPUS);
        metadata.put("memory_mb", MEMORY_MB);
        metadata.put("task_path", taskPath);
        source(row, metadata.putObject("source"));
        return JSON.writeValueAsString(line);
    }

    private static void source(DatasetRow row, ObjectNode source) {
        source.put("repo", row.repo());
        putIfAny(source, "language", row.language());
        putIfAny(source, "license", row.license());
        String created = row.createdAt();
        if (created.matches("-?\\d{1,18}")) {
            source.put("created_at", Long.parseLong(created));
        } else {
            putIfAny(source, "created_at", created);
        }
    }

    private static void putIfAny(ObjectNode node, String key, String value) {
        if (!value.isEmpty()) {
            node.put(key, value);
        }
    }
}
