package dev.millrace.backends.repair;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.backends.harbor.HarborTask;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.udfs.dataset.DiffPaths;
import dev.millrace.udfs.testlog.LogParser;
import dev.millrace.udfs.testlog.LogParsers;
import dev.millrace.udfs.testlog.TestExpectation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How a repair is graded.
 *
 * @param expected tests that count
 * @param parser reads the test command's output
 * @param testCommand shell text
 * @param testPatch puts the tests in place
 * @param testPaths files that the test patch is about
 * @param solution the reference repair; empty when there is none
 */
public record RepairSpec(
        TestExpectation expected,
        LogParser parser,
        String testCommand,
        byte[] testPatch,
        List<String> testPaths,
        byte[] solution) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Whether a task says which tests have to pass, so that it is graded here. */
    public static boolean concerns(HarborTask task) {
        return find(task.tests(), "test.patch").isPresent()
                && find(task.tests(), "config.json").isPresent();
    }

    /**
     * Reads a task that it {@linkplain #concerns concerns}.
     *
     * @throws SandboxException of kind IMAGE when the task can't be followed
     */
    public static RepairSpec of(HarborTask task) throws SandboxException {
        byte[] testPatch = find(task.tests(), "test.patch").orElseThrow();
        try {
            JsonNode config = JSON.readTree(find(task.tests(), "config.json").orElseThrow());
            String parser = config.path("log_parser").asText();
            return new RepairSpec(
                    new TestExpectation(
                            names(config.path("FAIL_TO_PASS")),
                            names(config.path("PASS_TO_PASS")),
                            Set.copyOf(names(config.path("expected_failures"))),
                            config.path("failures_only").asBoolean()),
                    LogParsers.named(parser)
                            .orElseThrow(() -> broken(task, "no log parser '" + parser + "'")),
                    config.path("test_cmd").asText(),
                    testPatch,
                    DiffPaths.oldAndNew(new String(testPatch, StandardCharsets.UTF_8)),
                    find(task.solution(), "solution.patch").orElse(new byte[0]));
        } catch (IOException e) {
            throw broken(task, "tests/config.json: " + e.getMessage());
        }
    }

    private static SandboxException broken(HarborTask task, String why) {
        return new SandboxException(SandboxException.Kind.IMAGE, task.name() + ": " + why);
    }

    private static List<String> names(JsonNode value) throws IOException {
        JsonNode list = value.isTextual() ? JSON.readTree(value.asText()) : value;
        List<String> names = new ArrayList<>();
        list.forEach(name -> names.add(name.asText()));
        return names;
    }

    private static Optional<byte[]> find(List<SandboxFile> files, String path) {
        return files.stream()
                .filter(file -> file.path().equals(path))
                .map(SandboxFile::content)
                .findFirst();
    }
}
