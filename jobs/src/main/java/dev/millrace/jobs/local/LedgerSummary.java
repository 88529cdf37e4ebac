package dev.millrace.jobs.local;

import dev.millrace.jobs.launch.RunFolder;
import dev.millrace.jobs.launch.RunIdentity;
import dev.millrace.jobs.view.EvalRound;
import dev.millrace.jobs.view.LedgerReplay;
import dev.millrace.jobs.view.RunFacts;
import dev.millrace.jobs.view.RunOutcome;
import dev.millrace.jobs.view.RunShape;
import dev.millrace.jobs.view.RunStatus;
import dev.millrace.jobs.view.RunSummary;
import dev.millrace.jobs.view.RunView;
import dev.millrace.pipeline.ledger.LedgerReader;
import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.pipeline.topology.PlannedRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Sums up runs from their ledger, also those that were killed before they could themselves. */
public final class LedgerSummary {
    private final RunFolder folder;
    private final Recipe recipe;

    /**
     * Sums of the runs of one job.
     *
     * @param output its folder
     * @param recipe its {@code config.yaml}
     */
    public LedgerSummary(Path output, Recipe recipe) {
        this.folder = new RunFolder(output);
        this.recipe = recipe;
    }

    /**
     * Reads the ledger; gives a summary for each run of the job. Time, memory and outcome are those
     * of the summary that is there; without one they are 0, and the run is finished when all steps
     * are trained and nothing is open.
     *
     * @throws IOException when ledger, {@code run.json} or summary can't be read
     */
    public List<RunSummary> read() throws IOException {
        RunIdentity identity = RunIdentity.read(folder.identity());
        List<PlannedRun> runs = PlannedRun.of(identity.runId(), recipe.run());
        List<RunSummary> summaries = new ArrayList<>();
        for (PlannedRun run : runs) {
            summaries.add(read(run, identity, reports(run.runId())));
        }
        return summaries;
    }

    private RunSummary read(PlannedRun run, RunIdentity identity, RunFolder reports)
            throws IOException {
        RunStatus status = status(run.runId());
        Optional<RunSummary> earlier = earlier(reports);
        return RunSummary.of(
                status,
                new RunFacts(
                        earlier.map(e -> outcome(e.state())).orElseGet(() -> outcome(status)),
                        run.seed(),
                        recipe.digest(),
                        identity.warmUp(),
                        earlier.map(RunSummary::wallSeconds).orElse(0.0),
                        earlier.map(RunSummary::peakRssBytes).orElse(0L),
                        folder.root(),
                        earlier.map(RunSummary::resumed).orElse(false),
                        earlier.map(RunSummary::smoke).orElse(false)));
    }

    /** Writes a summary where the run's own lies. */
    public void write(RunSummary summary) throws IOException {
        RunFolder reports = reports(summary.runId());
        Files.createDirectories(reports.root());
        summary.write(reports.summary());
    }

    private RunFolder reports(String runId) {
        return recipe.run().clients() == 1 ? folder : folder.client(runId);
    }

    /** The largest round tells how many held-out tasks there are. */
    private RunStatus status(String runId) throws IOException {
        RunStatus once = replay(RunShape.of(runId, recipe, 0));
        long tasks = once.rounds().stream().mapToLong(EvalRound::tasks).max().orElse(0);
        return replay(RunShape.of(runId, recipe, (int) tasks));
    }

    private RunStatus replay(RunShape shape) throws IOException {
        RunView view = new RunView(shape);
        new LedgerReplay(new LedgerReader(folder.ledger())).play(view);
        return view.status(0);
    }

    private static Optional<RunSummary> earlier(RunFolder reports) throws IOException {
        return Files.exists(reports.summary())
                ? Optional.of(RunSummary.read(reports.summary()))
                : Optional.empty();
    }

    private static RunOutcome outcome(RunStatus run) {
        if (!run.accounts().violations().isEmpty()) {
            return RunOutcome.FAILED;
        }
        boolean done = run.step() == run.shape().totalSteps() && run.accounts().open() == 0;
        return done ? RunOutcome.FINISHED : RunOutcome.INTERRUPTED;
    }

    private static RunOutcome outcome(String state) {
        return Arrays.stream(RunOutcome.values())
                .filter(outcome -> outcome.text().equals(state))
                .findFirst()
                .orElse(RunOutcome.FAILED);
    }
}
