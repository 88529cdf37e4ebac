package dev.millrace.backends.dataset;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.udfs.dataset.DatasetRow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Writes a row as a task in the Harbor format. */
final class TaskFolderWriter {
    /** File of a task that says which tests count. */
    static final String CONFIG = "config.json";

    /** File of a task that holds its tests, as a diff. */
    static final String TEST_PATCH = "test.patch";

    /** File of a task that holds its reference repair, as a diff. */
    static final String SOLUTION_PATCH = "solution.patch";

    private static final ObjectMapper JSON = new ObjectMapper();

    private TaskFolderWriter() {}

    /** Writes the files of a task into a folder that does not exist yet. */
    static void write(DatasetRow row, String name, Path folder) throws IOException {
        Path tests = Files.createDirectories(folder.resolve("tests"));
        Path solution = Files.createDirectory(folder.resolve("solution"));
        Files.createDirectory(folder.resolve("environment"));
        text(folder.resolve("task.toml"), toml(row, name));
        text(folder.resolve("instruction.md"), row.problemStatement());
        text(tests.resolve(CONFIG), config(row));
        text(tests.resolve(TEST_PATCH), withEnd(row.testPatch()));
        text(tests.resolve("grade.py"), TaskScripts.grader());
        script(tests.resolve("test.sh"), TaskScripts.test(row));
        text(solution.resolve(SOLUTION_PATCH), withEnd(row.patch()));
        script(solution.resolve("solve.sh"), TaskScripts.solve(row));
    }

    private static String toml(DatasetRow row, String name) {
        return """
        [task]
        name = %s

        [agent]
        timeout_sec = 1800

        [verifier]
        timeout_sec = 1800

        [environment]
        docker_image = %s
        workdir = %s
        build_timeout_sec = 1800.0
        cpus = 2
        memory_mb = 8192
        """
                .formatted(quoted(name), quoted(row.imageName()), quoted(row.workdir()));
    }

    /** JSON's quoting of texts is TOML's too. */
    private static String quoted(String text) {
        return JSON.getNodeFactory().textNode(text).toString();
    }

    private static String config(DatasetRow row) throws JsonProcessingException {
        ObjectNode config = JSON.createObjectNode();
        config.put("repo", row.repo());
        config.put("instance_id", row.instanceId());
        config.put("base_commit", row.baseCommit());
        String version = row.version().isEmpty() ? row.createdAt() : row.version();
        config.put("version", version.isEmpty() ? "0" : version);
        config.put("FAIL_TO_PASS", JSON.writeValueAsString(row.failToPass()));
        config.put("PASS_TO_PASS", JSON.writeValueAsString(row.passToPass()));
        config.put("language", row.language());
        config.put("image_name", row.imageName());
        JsonNode install = JSON.readTree(row.installConfig());
        config.set("install_config", install);
        config.put("test_cmd", row.testCommand());
        config.put("log_parser", row.logParser());
        putIfAny(config, "environment_setup_commit", row.environmentSetupCommit());
        putIfAny(config, "hints_text", row.hints());
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(config) + "\n";
    }

    private static void putIfAny(ObjectNode node, String key, String value) {
        if (!value.isEmpty()) {
            node.put(key, value);
        }
    }

    /** Without a line end behind it a diff counts as damaged. */
    private static String withEnd(String diff) {
        return diff.isEmpty() || diff.endsWith("\n") ? diff : diff + "\n";
    }

    private static void script(Path file, String content) throws IOException {
        text(file, content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void text(Path file, String content) throws IOException {
        Files.write(file, content.getBytes(StandardCharsets.UTF_8));
    }
}
