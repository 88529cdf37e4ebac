package dev.millrace.jobs.dataset;

import dev.millrace.backends.dataset.SubsetFile;
import dev.millrace.backends.dataset.SubsetRow;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxProvider;
import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.jobs.cli.ExitCode;
import dev.millrace.jobs.launch.FolderRemoval;
import dev.millrace.pipeline.settings.SandboxSettings;
import dev.millrace.pipeline.settings.SettingsException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Checks the tasks of a subset in sandboxes. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description =
                "Grades the reference repair and no repair of each task of a subset. Writes a"
                        + " report, and the gradeable tasks as a subset of their own. A check that"
                        + " was ended goes on where it was.")
final class CheckCommand implements Callable<Integer> {
    private final PrintStream out;

    @Option(names = "--dataset-root", required = true, paramLabel = "DIR", description = "Dataset.")
    private Path root;

    @Option(names = "--subset", defaultValue = "train-full", description = "Default: train-full.")
    private String subset;

    @Option(
            names = "--runs",
            defaultValue = "3",
            description = "How often a reference repair is graded. Default: 3.")
    private int runs;

    @Option(names = "--parallel", defaultValue = "2", description = "Tasks at once. Default: 2.")
    private int parallel;

    @Option(
            names = "--slow-share",
            defaultValue = "0.5",
            description = "Of the time limit; what takes longer is slow. Default: 0.5.")
    private double slowShare;

    @Mixin private SandboxOptions sandboxOptions;

    CheckCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws IOException, InterruptedException, SettingsException {
        Path file = root.resolve(subset + ".jsonl");
        if (!Files.isRegularFile(file)) {
            throw new BadInputException(
                    "--subset: " + file + " does not exist; make it with dataset prepare");
        }
        if (runs < 1 || parallel < 1) {
            throw new BadInputException("--runs and --parallel must be at least 1");
        }
        SandboxSettings sandboxes = sandboxOptions.read();
        SubsetFile rows = SubsetFile.read(file);
        rows.rejected().forEach(row -> out.println("no task: " + row));
        Path scratch =
                Path.of(
                        System.getProperty("java.io.tmpdir"),
                        "millrace-check-" + ProcessHandle.current().pid());
        try (SandboxProvider provider = SandboxOptions.open(sandboxes, scratch);
                CheckReport report =
                        new CheckReport(root.resolve("check-" + subset + ".jsonl"), runs)) {
            provider.probe();
            TaskChecker checker =
                    new TaskChecker(SandboxOptions.loader(sandboxes), provider, runs, slowShare);
            SubsetCheck check = new SubsetCheck(checker, report, root, parallel, out);
            Map<TaskState.Status, Long> counts = check.run(rows.rows());
            Path checked = root.resolve(subset + "-checked.jsonl");
            long kept = check.filter(rows.rows(), checked);
            counts.forEach(
                    (status, count) ->
                            out.printf(
                                    Locale.ROOT,
                                    "  %6d %s%n",
                                    count,
                                    status.name().toLowerCase(Locale.ROOT)));
            out.printf(Locale.ROOT, "%d of %d tasks in %s%n", kept, rows.rows().size(), checked);
            return kept == rows.rows().size() ? ExitCode.OK : ExitCode.FAILED;
        } catch (SandboxException e) {
            throw new BadInputException(e.getMessage());
        } finally {
            FolderRemoval.remove(scratch);
        }
    }

    /** Folder of a row's task. */
    static Path folder(Path root, SubsetRow row) {
        return root.toAbsolutePath().normalize().getParent().resolve(row.taskPath()).normalize();
    }
}
