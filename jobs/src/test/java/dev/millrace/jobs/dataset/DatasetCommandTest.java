package dev.millrace.jobs.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.jobs.cli.ExitCode;
import dev.millrace.pipeline.settings.SettingsException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class DatasetCommandTest {
    private static final String ROW =
            """
            {"instance_id": "o__sums-1", "repo": "O/sums", "base_commit": "%s", "patch": "%s",\
             "test_patch": "%s", "problem_statement": "add() is wrong.", "language": "python",\
             "image_name": "none", "FAIL_TO_PASS": ["test_adds (test_sums.Sums.test_adds)"],\
             "PASS_TO_PASS": [], "meta": {"llm_metadata": {"code": "A"}}, "install_config":\
             {"test_cmd": "python3 -m unittest -v test_sums", "log_parser": "parse_log_unittest"}}
            """;
    private static final String REPAIR =
            "diff --git a/sums.py b/sums.py\\n--- a/sums.py\\n+++ b/sums.py\\n@@ -1 +1 @@\\n"
                    + "-add = lambda a, b: a - b\\n+add = lambda a, b: a + b\\n";
    private static final String TESTS =
            "diff --git a/test_sums.py b/test_sums.py\\nnew file mode 100644\\n--- /dev/null\\n"
                    + "+++ b/test_sums.py\\n@@ -0,0 +1,6 @@\\n+import sums\\n+import unittest\\n"
                    + "+\\n+class Sums(unittest.TestCase):\\n+    def test_adds(self):\\n"
                    + "+        self.assertEqual(5, sums.add(2, 3))\\n";

    @TempDir Path folder;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private Exception refusal;

    private int run(String... arguments) {
        refusal = null;
        CommandLine line = DatasetCommand.of(new PrintStream(out, true, StandardCharsets.UTF_8));
        line.setExecutionExceptionHandler(
                (failure, command, parsed) -> {
                    refusal = failure;
                    return ExitCode.BAD_INPUT;
                });
        return line.execute(arguments);
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private static String[] prepare(String source, String root, String option, String value) {
        return new String[] {"prepare", "--source", source, "--dataset-root", root, option, value};
    }

    private void refused(String message, String... arguments) {
        assertThat(run(arguments)).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(refusal).isInstanceOf(BadInputException.class).hasMessageContaining(message);
    }

    @Test
    void saysWhatIsWrongWithTheInput() throws IOException {
        Path rows = Files.writeString(folder.resolve("rows.jsonl"), "{}\n");
        String source = rows.toString();
        String root = path("data");
        refused("is no file", "prepare", "--source", path("none"), "--dataset-root", root);
        refused(
                "--limit -1",
                "prepare",
                "--source",
                source,
                "--dataset-root",
                root,
                "--limit",
                "-1");
        Path parquet = Files.writeString(folder.resolve("rows.parquet"), "PAR1 and no more");
        refused(
                "rows.parquet is no Parquet file",
                prepare(parquet.toString(), root, "--limit", "1"));
        assertThat(folder.resolve("data")).doesNotExist();
        refused("--limit 0", prepare(source, root, "--limit", "0"));
        refused("--min-grade 'a' is no grade", prepare(source, root, "--min-grade", "a"));
        refused("is no file", prepare(source, root, "--test-commands", path("none")));
        refused("a list is expected", prepare(source, root, "--test-commands", source));
        refused(
                "none of 1 rows becomes a task: {malformed row=1}",
                "prepare",
                "--source",
                source,
                "--dataset-root",
                root);
        refused(
                "is no folder",
                "prepare",
                "--source",
                source,
                "--dataset-root",
                root,
                "--repositories",
                source);
        refused(
                "exists and is no dataset",
                "prepare",
                "--source",
                source,
                "--dataset-root",
                folder.toString());
        refused("train-full.jsonl does not exist", "check", "--dataset-root", folder.toString());
        refused(
                "at least 2",
                "mixed",
                "--dataset-root",
                root,
                "--source",
                "train-4",
                "--probe-dump",
                source,
                "--n-samples",
                "1");
    }

    @Test
    void preparesAndChecksARepository() throws Exception {
        Path repository = Files.createDirectories(folder.resolve("repositories/O/sums"));
        Files.writeString(repository.resolve("sums.py"), "add = lambda a, b: a - b\n");
        git(repository, "init", "-q");
        git(repository, "add", "-A");
        git(repository, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "base");
        String commit = git(repository, "rev-parse", "HEAD").strip();
        Files.writeString(
                folder.resolve("rows.jsonl"),
                ROW.formatted(commit, REPAIR, TESTS)
                        + ROW.formatted(commit, REPAIR.replace("a + b", "a * b"), TESTS)
                                .replace("sums-1", "sums-2")
                        + ROW.formatted("c0ffee1", REPAIR, TESTS).replace("sums-1", "sums-3")
                        + ROW.formatted(commit, REPAIR, TESTS)
                                .replace("sums-1", "sums-4")
                                .replace("O/sums", "O/other"));
        assertThat(
                        run(
                                "prepare",
                                "--source",
                                path("rows.jsonl"),
                                "--dataset-root",
                                path("data"),
                                "--repositories",
                                path("repositories"),
                                "--languages",
                                "python,go"))
                .as(String.valueOf(refusal))
                .isEqualTo(ExitCode.OK);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("4 rows, 2 tasks")
                .contains("1 rejected: base_commit not in the local repository")
                .contains("1 rejected: no local repository");
        assertThat(folder.resolve("data/rejected.jsonl"))
                .content()
                .contains("has no c0ffee1")
                .contains("O/other is not in");
        String[] check = {
            "check", "--dataset-root", path("data"), "--subset", "all.converted", "--runs", "2"
        };
        assertThat(run(check)).as(String.valueOf(refusal)).isEqualTo(ExitCode.FAILED);
        List<String> report = Files.readAllLines(folder.resolve("data/check-all.converted.jsonl"));
        assertThat(report)
                .anyMatch(line -> line.contains("sums-1") && line.contains("GRADEABLE"))
                .anyMatch(line -> line.contains("sums-2") && line.contains("BROKEN"));
        assertThat(folder.resolve("data/all.converted-checked.jsonl"))
                .content()
                .contains("o__sums-1")
                .doesNotContain("o__sums-2");
        gradesWithSettingsOfSandboxes();
        out.reset();
        assertThat(run(check)).isEqualTo(ExitCode.FAILED);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .as("a check that ended is not made again")
                .doesNotContain("oracle [");
    }

    private void gradesWithSettingsOfSandboxes() throws IOException {
        String diff = REPAIR.replace("\\n", "\n");
        Files.writeString(folder.resolve("repair.diff"), diff);
        String task;
        try (Stream<Path> folders = Files.walk(folder.resolve("data"))) {
            task =
                    folders.filter(path -> path.endsWith("o__sums-1"))
                            .findFirst()
                            .orElseThrow()
                            .toString();
        }
        String[] grade = {"grade", "--task", task, "--patch", path("repair.diff")};
        assertThat(run(grade)).as(String.valueOf(refusal)).isEqualTo(ExitCode.OK);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("reward 1.0");
        refused("no image on this host stands for", with(grade, "sandbox.images=other*=/nowhere"));
        refused("/nowhere", with(grade, "sandbox.images=*=/nowhere"));
        refused("has no effect here", with(grade, "train.steps=1"));
        refused("has no effect here", with(grade, "sandbox.memoryMb=100"));
        assertThat(run(with(grade, "sandbox.docker.taskImages=true")))
                .isEqualTo(ExitCode.BAD_INPUT);
        assertThat(refusal)
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("sandbox.docker.taskImages");
    }

    private static String[] with(String[] arguments, String setting) {
        return Stream.concat(Stream.of(arguments), Stream.of("--set", setting))
                .toArray(String[]::new);
    }

    private static String git(Path folder, String... arguments) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("git").directory(folder.toFile());
        builder.command().addAll(List.of(arguments));
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return output;
    }
}
