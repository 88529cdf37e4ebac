package dev.millrace.jobs.dataset;

import dev.millrace.backends.dataset.DatasetPreparation;
import dev.millrace.backends.dataset.EmptyDatasetException;
import dev.millrace.backends.dataset.PreparationReport;
import dev.millrace.backends.dataset.PreparationRequest;
import dev.millrace.backends.dataset.RowFormat;
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
    private static final Set<String> PYTHON_PARSERS =
            Set.of("parse_log_pytest", "parse_log_pytest_options", "parse_log_pytest_v2");

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

    @Option(names = "--limit", paramLabel = "N", description = "Stop after N tasks.")
    private int limit;

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
        Set<String> parsers =
                wanted.equals(Set.of("python")) && format != RowFormat.SWE_BENCH
                        ? withDjango(PYTHON_PARSERS)
                        : LogParsers.names();
        PreparationRequest request =
                new PreparationRequest(
                        sources,
                        format,
                        root,
                        limit,
                        new RowFilter(minGrade, wanted, parsers),
                        seed,
                        repositories,
                        new PreparationRequest.Origin(publishedAs, publishedSplit, revision));
        try {
            print(new DatasetPreparation(request, out::println).run());
            return ExitCode.OK;
        } catch (EmptyDatasetException e) {
            throw new BadInputException(
                    e.getMessage() + "; look at --languages, --min-grade and --format");
        }
    }

    /** Rows that leave the parser to a harness get Django's where it is needed. */
    private static Set<String> withDjango(Set<String> parsers) {
        Set<String> all = new TreeSet<>(parsers);
        all.add("parse_log_django");
        return all;
    }

    private void check() {
        for (Path source : sources) {
            if (!Files.isRegularFile(source)) {
                throw new BadInputException("--source " + source + " is no file");
            }
        }
        if (limit < 0) {
            throw new BadInputException("--limit " + limit + " is no number of tasks");
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
