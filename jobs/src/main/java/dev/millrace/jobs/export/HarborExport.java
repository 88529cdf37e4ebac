package dev.millrace.jobs.export;

import dev.millrace.jobs.launch.FolderRemoval;
import dev.millrace.pipeline.ledger.LedgerReader;
import dev.millrace.udfs.model.ContentRef;
import dev.millrace.udfs.model.Trajectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** Writes a run as a job folder of Harbor. It gets its name when all of it is there. */
final class HarborExport {
    private final ExportedRun run;
    private final LedgerAttempts attempts;
    private final AttemptContent content;
    private final Path job;
    private final Path partial;
    private final JobTotals totals = new JobTotals();

    /**
     * @param output folder of jobs
     */
    HarborExport(ExportedRun run, LedgerReader ledger, AttemptContent content, Path output) {
        this.run = run;
        this.attempts = new LedgerAttempts(ledger, run.runId());
        this.content = content;
        this.job = output.resolve(run.runId());
        this.partial = output.resolve("." + run.runId() + ".part");
    }

    /** Writes all of it. */
    ExportReport write(ExportProgress progress) throws IOException {
        FolderRemoval.remove(partial);
        Files.createDirectories(partial);
        long total = attempts.count();
        long[] done = {0};
        attempts.forEach(
                played -> {
                    attempt(played);
                    progress.attempt(++done[0], total);
                });
        Documents.json(partial.resolve("config.json"), config());
        Documents.json(partial.resolve("result.json"), totals.result(run));
        ExportReport report = totals.report(job);
        Documents.text(partial.resolve("job.log"), log(report, total));
        Files.move(partial, job, StandardCopyOption.ATOMIC_MOVE);
        return report;
    }

    private void attempt(PlayedAttempt played) throws IOException {
        String name = freeName(played);
        TrialDocument document = new TrialDocument(run, played, name, job);
        ContentRef ref = played.attempt().trajectory();
        Trajectory trajectory = null;
        String missing = ref == null ? "nothing was sampled" : "";
        if (ref != null) {
            try {
                trajectory = content.read(ref);
            } catch (IOException e) {
                missing = e.getMessage();
            }
        }
        TrialResult result = document.result(trajectory);
        new TrialFolder(run, played, partial.resolve(name))
                .write(document, result, trajectory, missing);
        totals.add(played, result);
    }

    private String freeName(PlayedAttempt played) {
        String task = played.group().task().taskId();
        int tries = 0;
        String name = TrialName.of(task, played.attempt().attemptId(), tries);
        while (Files.exists(partial.resolve(name))) {
            name = TrialName.of(task, played.attempt().attemptId(), ++tries);
        }
        return name;
    }

    private JobConfig config() {
        return new JobConfig(
                run.runId(),
                job.getParent().toString(),
                run.recipe().rollout().groupSize(),
                run.recipe().rollout().slots(),
                run.environment(),
                run.verifier(),
                List.of(run.agent(null)),
                totals.taskFolders().stream().map(JobConfig.DatasetConfig::new).toList());
    }

    private String log(ExportReport report, long total) {
        return String.join(
                "\n",
                "run " + run.runId() + ", exported by Millrace " + run.version(),
                report.attempts() + " attempts of " + total + " in the ledger",
                report.invalid() + " without a valid reward",
                report.withoutTrajectory() + " without a trajectory",
                "");
    }
}
