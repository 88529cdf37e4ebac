package dev.millrace.jobs.local;

import dev.millrace.backends.harbor.HarborTaskLoader;
import dev.millrace.backends.harbor.TaskCheck;
import dev.millrace.backends.harbor.TaskReport;
import dev.millrace.backends.harbor.Verdict;
import dev.millrace.backends.port.SandboxProvider;
import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.jobs.cli.ExitCode;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** Checks the tasks below a folder, some at a time, and prints a line for each in their order. */
final class TaskValidation {
    private static final int AT_A_TIME = 2;
    private static final int DEPTH = 4;
    private static final String OWNER = "validate";

    private final TaskCheck check;
    private final PrintStream out;

    TaskValidation(SandboxProvider provider, PrintStream out) {
        this.check = new TaskCheck(provider, OWNER);
        this.out = out;
    }

    /**
     * @param loader reads them
     * @return {@link ExitCode#OK} when all are fit for use, else {@link ExitCode#FAILED}
     * @throws BadInputException when there is no task
     */
    int validate(Path root, HarborTaskLoader loader) {
        List<Path> folders = folders(root);
        ExecutorService workers = Executors.newFixedThreadPool(AT_A_TIME);
        try {
            List<Future<TaskReport>> checks = new ArrayList<>();
            for (Path folder : folders) {
                checks.add(workers.submit(() -> check.check(loader, folder)));
            }
            int valid = 0;
            for (int i = 0; i < checks.size(); i++) {
                TaskReport report = checks.get(i).get();
                valid += report.valid() ? 1 : 0;
                print(i + 1, checks.size(), report);
            }
            out.printf("%d of %d tasks are fit for use%n", valid, folders.size());
            return valid == folders.size() ? ExitCode.OK : ExitCode.FAILED;
        } catch (ExecutionException e) {
            throw new IllegalStateException("A check failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.INTERRUPTED;
        } finally {
            workers.shutdownNow();
        }
    }

    private void print(int number, int total, TaskReport report) {
        out.printf(
                "%4d/%d  %-7s %-40s oracle %-8s nop %-8s %s%n",
                number,
                total,
                report.valid() ? "ok" : "BROKEN",
                report.task(),
                reward(report.oracle()),
                reward(report.nop()),
                report.reason());
        report.notes().forEach(note -> out.printf("%14s note: %s%n", "", note));
    }

    private static String reward(Verdict verdict) {
        if (verdict == null) {
            return "-";
        }
        return verdict.graded()
                ? String.format(Locale.ROOT, "%.2f", verdict.reward())
                : verdict.cause();
    }

    private static List<Path> folders(Path root) {
        if (!Files.isDirectory(root)) {
            throw new BadInputException("task folder " + root + " does not exist");
        }
        try (Stream<Path> files = Files.walk(root, DEPTH)) {
            List<Path> folders =
                    files.filter(file -> file.endsWith("task.toml"))
                            .map(Path::getParent)
                            .sorted()
                            .toList();
            if (folders.isEmpty()) {
                throw new BadInputException(
                        "task folder "
                                + root
                                + " holds no task: a task is a folder with a task.toml");
            }
            return folders;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
