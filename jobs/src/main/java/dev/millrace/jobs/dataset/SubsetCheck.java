package dev.millrace.jobs.dataset;

import dev.millrace.backends.dataset.SubsetRow;
import dev.millrace.jobs.dataset.TaskState.Status;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/** Checks tasks side by side and keeps the gradeable ones. */
final class SubsetCheck {
    private final TaskChecker checker;
    private final CheckReport report;
    private final Path root;
    private final int parallel;
    private final PrintStream out;

    SubsetCheck(TaskChecker checker, CheckReport report, Path root, int parallel, PrintStream out) {
        this.checker = checker;
        this.report = report;
        this.root = root;
        this.parallel = parallel;
        this.out = out;
    }

    /** Checks those that the report doesn't know, and counts all by their status. */
    Map<Status, Long> run(List<SubsetRow> rows) throws IOException, InterruptedException {
        ExecutorService workers = Executors.newFixedThreadPool(parallel);
        try {
            List<Future<TaskState>> checks = new ArrayList<>();
            for (SubsetRow row : rows) {
                if (!report.has(row.instanceId())) {
                    checks.add(workers.submit(() -> check(row)));
                }
            }
            for (Future<TaskState> check : checks) {
                print(check.get());
            }
        } catch (ExecutionException e) {
            throw new IOException("a check failed", e.getCause());
        } finally {
            workers.shutdownNow();
        }
        Set<String> wanted = rows.stream().map(SubsetRow::instanceId).collect(Collectors.toSet());
        Map<Status, Long> counts = new EnumMap<>(Status.class);
        report.states().stream()
                .filter(state -> wanted.contains(state.instanceId()))
                .forEach(state -> counts.merge(state.status(), 1L, Long::sum));
        return counts;
    }

    private TaskState check(SubsetRow row) throws IOException {
        TaskState state = checker.check(row.instanceId(), CheckCommand.folder(root, row));
        report.add(state);
        return state;
    }

    private void print(TaskState state) {
        out.printf(
                Locale.ROOT,
                "%-9s %-40s oracle %s nop %s %d ms %s%n",
                state.status().name().toLowerCase(Locale.ROOT),
                state.instanceId(),
                state.oracle(),
                state.nop(),
                state.slowestMillis(),
                state.reason());
    }

    /** Writes the rows of gradeable tasks, as they are; how many there are. */
    long filter(List<SubsetRow> rows, Path file) throws IOException {
        Set<String> gradeable =
                report.states().stream()
                        .filter(state -> state.status() == Status.GRADEABLE)
                        .map(TaskState::instanceId)
                        .collect(Collectors.toSet());
        List<String> kept =
                rows.stream()
                        .filter(row -> gradeable.contains(row.instanceId()))
                        .map(SubsetRow::text)
                        .toList();
        Path part = file.resolveSibling(file.getFileName() + ".part");
        Files.write(part, kept);
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        return kept.size();
    }
}
