package dev.millrace.jobs.export;

import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.jobs.launch.RunFolder;
import dev.millrace.jobs.launch.RunIdentity;
import dev.millrace.jobs.preflight.OutputFolderCheck;
import dev.millrace.pipeline.adapters.Transcribers;
import dev.millrace.pipeline.ledger.LedgerReader;
import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.pipeline.settings.RecipeReader;
import dev.millrace.pipeline.settings.SettingsException;
import dev.millrace.pipeline.topology.PlannedRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Exports the runs of one output folder. */
public final class RunExport {
    private final RunFolder folder;
    private final Path output;
    private final String version;

    /**
     * An export.
     *
     * @param run output folder of the run
     * @param output where to; made when it is not there
     * @param version of Millrace
     */
    public RunExport(Path run, Path output, String version) {
        this.folder = new RunFolder(run);
        this.output = output.toAbsolutePath().normalize();
        this.version = version;
    }

    /**
     * Writes a job folder for each run.
     *
     * @throws BadInputException when there is nothing to export, or something where it should go
     * @throws SettingsException when its {@code config.yaml} is no recipe
     * @throws IOException when the ledger can't be read or a file can't be written
     */
    public List<ExportReport> harbor(ExportProgress progress)
            throws IOException, SettingsException {
        Path config = folder.root().resolve(OutputFolderCheck.CONFIG);
        if (!Files.isRegularFile(config) || !Files.isRegularFile(folder.identity())) {
            throw new BadInputException(
                    folder.root() + " holds no run: a run's folder has config.yaml and run.json");
        }
        Recipe recipe = RecipeReader.read(List.of(config), List.of());
        List<ExportedRun> runs = runs(recipe);
        LedgerReader ledger = new LedgerReader(folder.ledger());
        check(runs, ledger);
        AttemptContent content = new AttemptContent(folder.trajectories());
        List<ExportReport> reports = new ArrayList<>();
        for (ExportedRun run : runs) {
            reports.add(new HarborExport(run, ledger, content, output).write(progress));
        }
        return reports;
    }

    private List<ExportedRun> runs(Recipe recipe) throws IOException {
        String jobId = RunIdentity.read(folder.identity()).runId();
        Instant since = Files.getLastModifiedTime(folder.identity()).toInstant();
        List<ExportedRun> runs = new ArrayList<>();
        try {
            for (PlannedRun run : PlannedRun.of(jobId, recipe.run())) {
                runs.add(
                        new ExportedRun(
                                run.runId(),
                                recipe,
                                since,
                                ended(recipe, run.runId()),
                                version,
                                Transcribers.of(recipe)));
            }
        } catch (IOException e) {
            throw new BadInputException(
                    folder.root().resolve(OutputFolderCheck.CONFIG)
                            + ": policy.tinker.tokenizer: "
                            + e.getMessage()
                            + "; tokens become text by the tokenizer that the run was played with");
        }
        return runs;
    }

    /** A run's summary is written when it ends. */
    private Instant ended(Recipe recipe, String runId) throws IOException {
        RunFolder reports = recipe.run().clients() == 1 ? folder : folder.client(runId);
        return Files.exists(reports.summary())
                ? Files.getLastModifiedTime(reports.summary()).toInstant()
                : null;
    }

    private void check(List<ExportedRun> runs, LedgerReader ledger) throws IOException {
        if (Files.exists(output) && !Files.isDirectory(output)) {
            throw new BadInputException("--output " + output + " is no folder");
        }
        for (ExportedRun run : runs) {
            Path job = output.resolve(run.runId());
            if (Files.exists(job)) {
                throw new BadInputException(
                        job + " is there already; remove it or choose another --output");
            }
            if (new LedgerAttempts(ledger, run.runId()).count() == 0) {
                throw new BadInputException(
                        folder.ledger()
                                + " has no attempt of "
                                + run.runId()
                                + " yet: groups are in it once they are closed and a checkpoint"
                                + " is complete");
            }
        }
    }
}
