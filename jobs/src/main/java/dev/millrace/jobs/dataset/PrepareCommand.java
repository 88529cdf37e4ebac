package dev.millrace.jobs.dataset;

import dev.millrace.backends.dataset.DatasetException;
import dev.millrace.backends.dataset.DatasetPreparation;
import dev.millrace.backends.dataset.EmptyDatasetException;
import dev.millrace.backends.dataset.PreparationReport;
import dev.millrace.backends.dataset.PreparationRequest;
import dev.millrace.backends.dataset.RowFormat;
import dev.millrace.backends.dataset.TestCommands;
import dev.millrace.backends.dataset.UnreadableFileException;
import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.jobs.cli.ExitCode;
import dev.millrace.udfs.dataset.RowFilter;
import dev.millrace.udfs.testlog.LogParsers;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Makes a dataset of published rows. */
@Command(
        name = "prepare",
        mixinStandardHelpOptions = true,
        description =
                "Turns published rows into tasks, splits and subsets. The folder is there whole"
                        + " or not at all; a former one is replaced.")
final class PrepareCommand implements Callable<Integer> {
    private static final Pattern GRADE = Pattern.compile("A|B(?:[1-9]|1[01])");
    private static final Set<String> PYTHON_PARSERS =
            Set.of(
                    "parse_log_pytest",
                    "parse_log_pytest_options",
                    "parse_log_pytest_v2",
                    "parse_log_django",
                    "parse_log_sympy");

    private final PrintStream out;

    @Option(
            names = "--source",
            required = true,
            arity = "1..*",
            paramLabel = "FILE",
            description = "Files of rows, Parquet or JSON Lines, in the order that counts.")
    private List<Path> sources;

    @Option(names = "--dataset-root", required = true, paramLabel = "DIR", description = "Result.")
    private Path root;

    @Option(
            names = "--format",
            defaultValue = "AUTO",
            description = "One of ${COMPLETION-CANDIDATES}. Default: AUTO.")
    private RowFormat format;

    @Option(
            names = "--test-commands",
            paramLabel = "FILE",
            description =
                    "How tests run in repositories whose rows don't say it: JSON, a list of objects"
                            + " with repo, command, and if need be versions and parser.")
    private Path testCommands;

    @Option(names = "--limit", paramLabel = "N", description = "Stop after N tasks.")
    private Integer limit;

    @Option(
            names = "--min-grade",
            defaultValue = "A",
            paramLabel = "GRADE",
            description = "Worst grade of a row, or none for all. Default: A.")
    private String minGrade;

    @Option(
            names = "--languages",
            split = ",",
            defaultValue = "python",
            description = "Languages that become tasks. Default: python.")
    private List<String> languages;

    @Option(
            names = "--repositories",
            paramLabel = "DIR",
            description =
                    "Local git repositories, OWNER/NAME or OWNER__NAME; their files become part of"
                            + " the tasks, for hosts that have no images.")
    private Path repositories;

    @Option(names = "--seed", defaultValue = "0", description = "Of splits and subsets.")
    private long seed;

    @Option(names = "--hf-repo", defaultValue = "", description = "Noted in the result.")
    private String publishedAs;

    @Option(names = "--hf-split", defaultValue = "", description = "Noted in the result.")
    private String publishedSplit;

    @Option(names = "--revision", defaultValue = "", description = "Noted in the result.")
    private String revision;

    PrepareCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws IOException {
        check();
        Set<String> wanted = new TreeSet<>();
        languages.forEach(language -> wanted.add(language.strip().toLowerCase(Locale.ROOT)));
        Set<String> parsers = wanted.equals(Set.of("python")) ? PYTHON_PARSERS : LogParsers.names();
        PreparationRequest request =
                new PreparationRequest(
                        sources,
                        format,
                        commands(),
                        root,
                        limit == null ? 0 : limit,
                        new RowFilter(minGrade, wanted, parsers),
                        seed,
                        repositories,
                        new PreparationRequest.Origin(publishedAs, publishedSplit, revision));
        try {
            print(new DatasetPreparation(request, out::println).run());
            return ExitCode.OK;
        } catch (UnreadableFileException e) {
            throw new BadInputException("--source " + e.getMessage() + ". Nothing was written");
        } catch (EmptyDatasetException e) {
            throw new BadInputException(
                    e.getMessage()
                            + "; look at --languages, --min-grade, --format and --test-commands."
                            + " Nothing was written");
        }
    }

    private TestCommands commands() throws IOException {
        try {
            return testCommands == null ? TestCommands.known() : TestCommands.from(testCommands);
        } catch (DatasetException e) {
            throw new BadInputException("--test-commands: " + e.getMessage());
        }
    }

    private void check() {
        for (Path source : sources) {
            if (!Files.isRegularFile(source)) {
                throw new BadInputException("--source " + source + " is no file");
            }
        }
        if (limit != null && limit < 1) {
            throw new BadInputException(
                    "--limit " + limit + " is no number of tasks; give 1 or more, or leave it out");
        }
        if (!minGrade.equalsIgnoreCase(RowFilter.NO_GRADE) && !GRADE.matcher(minGrade).matches()) {
            throw new BadInputException(
                    "--min-grade '" + minGrade + "' is no grade: A, B1 to B11, or none for all");
        }
        if (testCommands != null && !Files.isRegularFile(testCommands)) {
            throw new BadInputException("--test-commands " + testCommands + " is no file");
        }
        if (repositories != null && !Files.isDirectory(repositories)) {
            throw new BadInputException("--repositories " + repositories + " is no folder");
        }
        if (root.toAbsolutePath().normalize().getFileName() == null) {
            throw new BadInputException("--dataset-root " + root + " can't be replaced");
        }
        if (Files.exists(root) && !Files.exists(root.resolve(DatasetPreparation.ALL + ".json"))) {
            throw new BadInputException(
                    "--dataset-root " + root + " exists and is no dataset; it is not replaced");
        }
    }

    private void print(PreparationReport report) {
        out.printf(Locale.ROOT, "%d rows, %d tasks in %s%n", report.rows(), report.tasks(), root);
        report.rejections().entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .forEach(
                        entry ->
                                out.printf(
                                        Locale.ROOT,
                                        "  %8d rejected: %s%n",
                                        entry.getValue(),
                                        entry.getKey()));
        report.subsets()
                .forEach((name, rows) -> out.printf(Locale.ROOT, "  %8d in %s%n", rows, name));
    }
}
