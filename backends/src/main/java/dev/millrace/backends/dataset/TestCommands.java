package dev.millrace.backends.dataset;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How tests run in repositories whose rows don't say it: what the harnesses of SWE-bench and
 * SWE-Gym use, and what a person adds. The first entry for a repository and version counts.
 */
public final class TestCommands {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PYTEST = "parse_log_pytest";
    private static final TestCommands BUILT_IN = builtIn();

    private final List<Entry> entries;

    /**
     * How a row's tests run.
     *
     * @param command shell text
     * @param parser name of what reads its output
     */
    record TestCommand(String command, String parser) {}

    private record Entry(String repo, List<String> versions, String command, String parser) {
        boolean concerns(String otherRepo, String version) {
            return repo.equalsIgnoreCase(otherRepo)
                    && (versions.isEmpty() || versions.contains(version));
        }
    }

    private TestCommands(List<Entry> entries) {
        this.entries = entries;
    }

    /** What is known without being told. */
    public static TestCommands known() {
        return BUILT_IN;
    }

    /**
     * What a file says, and what is known for repositories that it doesn't name.
     *
     * @param file JSON, a list of objects with {@code repo} and {@code command}, and if need be
     *     {@code versions}, a list, and {@code parser}
     * @throws DatasetException when it is no such file; the message names what is wrong
     */
    public static TestCommands from(Path file) throws IOException, DatasetException {
        try {
            List<Entry> entries = entries(JSON.readTree(Files.readAllBytes(file)));
            entries.addAll(BUILT_IN.entries);
            return new TestCommands(entries);
        } catch (JsonProcessingException e) {
            throw new DatasetException(file + " is no JSON: " + e.getOriginalMessage());
        } catch (RowException e) {
            throw new DatasetException(file + ": " + e.getMessage());
        }
    }

    /** The command for the tests of a patch; nothing when none is known or the patch has none. */
    Optional<TestCommand> of(String repo, String version, String testPatch) {
        return entries.stream()
                .filter(entry -> entry.concerns(repo, version))
                .findFirst()
                .flatMap(
                        entry ->
                                PatchedTests.of(testPatch)
                                        .in(entry.command())
                                        .map(text -> new TestCommand(text, entry.parser())));
    }

    private static TestCommands builtIn() {
        try (InputStream in = TestCommands.class.getResourceAsStream("test-commands.json")) {
            return new TestCommands(entries(JSON.readTree(in)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (RowException e) {
            throw new IllegalStateException("test-commands.json is part of the program", e);
        }
    }

    private static List<Entry> entries(JsonNode list) throws RowException {
        if (!list.isArray()) {
            throw new RowException("a list is expected, of objects with 'repo' and 'command'");
        }
        List<Entry> entries = new ArrayList<>();
        for (JsonNode node : list) {
            try {
                entries.add(entry(node));
            } catch (RowException e) {
                throw new RowException("entry " + (entries.size() + 1) + ": " + e.getMessage());
            }
        }
        return entries;
    }

    private static Entry entry(JsonNode node) throws RowException {
        String parser = RowFields.text(node, "parser");
        return new Entry(
                RowFields.required(node, "repo"),
                RowFields.names(node, "versions"),
                RowFields.required(node, "command"),
                parser.isEmpty() ? PYTEST : parser);
    }
}
