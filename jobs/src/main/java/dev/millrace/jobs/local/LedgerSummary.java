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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** Sums up a run from its ledger, also one that was killed before it could do so itself. */
public final class LedgerSummary {
    private final RunFolder folder;
    private final Recipe recipe;

    /**
     * Sums of one run.
     *
     * @param output its folder
     * @param recipe its {@code config.yaml}
     */
    public LedgerSummary(Path output, Recipe recipe) {
        this.folder = new RunFolder(output);
        this.recipe = recipe;
    }

    /**
     * Reads the ledger. Time, memory and outcome are those of the summary that is there; without
     * one they are 0, and the run is finished when all steps are trained and nothing is open.
     *
     * @throws IOException when ledger, {@code run.json} or summary can't be read
     */
    public RunSummary read() throws IOException {
        RunIdentity identity = RunIdentity.read(folder.identity());
        RunStatus run = status(identity.runId());
        Optional<RunSummary> earlier = earlier();
        return RunSummary.of(
                run,
                new RunFacts(
                        earlier.map(e -> outcome(e.state())).orElseGet(() -> outcome(run)),
                        recipe.run().seed(),
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
        summary.write(folder.summary());
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

    private Optional<RunSummary> earlier() throws IOException {
        return Files.exists(folder.summary())
                ? Optional.of(RunSummary.read(folder.summary()))
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
