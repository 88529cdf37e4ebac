package dev.millrace.jobs.dataset;

import dev.millrace.backends.bubblewrap.BubblewrapProvider;
import dev.millrace.backends.bubblewrap.BubblewrapSettings;
import dev.millrace.backends.dataset.SubsetFile;
import dev.millrace.backends.dataset.SubsetRow;
import dev.millrace.backends.harbor.HarborTaskLoader;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxLimits;
import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.jobs.cli.ExitCode;
import dev.millrace.jobs.launch.FolderRemoval;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Checks the tasks of a subset in sandboxes of this host. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description =
                "Grades the reference repair and no repair of each task of a subset. Writes a"
                        + " report, and the gradeable tasks as a subset of their own. A check that"
                        + " was ended goes on where it was.")
final class CheckCommand implements Callable<Integer> {
    private static final SandboxLimits USUAL = new SandboxLimits(2, 2048, 256, 512);
    private static final SandboxLimits MOST = new SandboxLimits(4, 4096, 512, 2048);

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

    CheckCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path file = root.resolve(subset + ".jsonl");
        if (!Files.isRegularFile(file)) {
            throw new BadInputException(
                    "--subset: " + file + " does not exist; make it with dataset prepare");
        }
        if (runs < 1 || parallel < 1) {
            throw new BadInputException("--runs and --parallel must be at least 1");
        }
        SubsetFile rows = SubsetFile.read(file);
        rows.rejected().forEach(row -> out.println("no task: " + row));
        Path scratch =
                Path.of(
                        System.getProperty("java.io.tmpdir"),
                        "millrace-check-" + ProcessHandle.current().pid());
        BubblewrapSettings settings = BubblewrapSettings.in(scratch, BubblewrapSettings.Shell.BASH);
        try (BubblewrapProvider provider = new BubblewrapProvider(settings);
                CheckReport report =
                        new CheckReport(root.resolve("check-" + subset + ".jsonl"), runs)) {
            provider.probe();
            TaskChecker checker = new TaskChecker(loader(), provider, runs, slowShare);
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

    /** Reads tasks with limits that suit repositories. */
    static HarborTaskLoader loader() {
        return new HarborTaskLoader(USUAL, MOST, Map.of());
    }

    /** Folder of a row's task. */
    static Path folder(Path root, SubsetRow row) {
        return root.toAbsolutePath().normalize().getParent().resolve(row.taskPath()).normalize();
    }
}
