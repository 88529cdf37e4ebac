package dev.millrace.jobs.export;

import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.Trajectory;
import dev.millrace.udfs.model.Turn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes the folder of an attempt. */
final class TrialFolder {
    private final ExportedRun run;
    private final PlayedAttempt played;
    private final Path folder;

    /**
     * @param folder of this attempt; made here
     */
    TrialFolder(ExportedRun run, PlayedAttempt played, Path folder) {
        this.run = run;
        this.played = played;
        this.folder = folder;
    }

    /**
     * Writes all files.
     *
     * @param trajectory what was played, or null when it can't be had
     * @param missing why it can't be had, or empty
     */
    void write(TrialDocument document, TrialResult result, Trajectory trajectory, String missing)
            throws IOException {
        Files.createDirectories(folder);
        Documents.json(folder.resolve("config.json"), document.config());
        Documents.json(folder.resolve("result.json"), result);
        Documents.text(folder.resolve("trial.log"), log(missing));
        if (result.exceptionInfo() != null) {
            Documents.text(
                    folder.resolve("exception.txt"),
                    result.exceptionInfo().exceptionType()
                            + ": "
                            + result.exceptionInfo().exceptionMessage()
                            + "\n");
        }
        if (trajectory != null) {
            trajectory(document, trajectory);
        }
        if (result.verifierResult() != null) {
            rewards(result.verifierResult().rewards());
        }
        Path artifacts = Files.createDirectory(folder.resolve("artifacts"));
        Documents.json(artifacts.resolve("manifest.json"), List.of());
    }

    private void trajectory(TrialDocument document, Trajectory trajectory) throws IOException {
        AttemptSummary attempt = played.attempt();
        List<Turn> turns = trajectory.turns();
        List<Atif.Step> steps =
                new AtifDocument(
                                trajectory,
                                run.transcriber(),
                                new AttemptTimes(played).turns(turns.size()),
                                run.models())
                        .steps();
        if (steps.isEmpty()) {
            return;
        }
        Path agent = Files.createDirectory(folder.resolve("agent"));
        Documents.json(
                agent.resolve("trajectory.json"),
                new Atif(
                        Atif.VERSION,
                        run.runId(),
                        attempt.attemptId(),
                        new Atif.Agent(ExportedRun.AGENT, run.version(), document.model()),
                        steps,
                        null,
                        new Atif.FinalMetrics(
                                turns.stream().mapToLong(Turn::firstToken).sum(),
                                turns.stream().mapToLong(Turn::generatedTokens).sum(),
                                steps.size()),
                        document.metadata()));
    }

    /** Some tools read the one file, some the other. */
    private void rewards(Map<String, Double> rewards) throws IOException {
        Path verifier = Files.createDirectory(folder.resolve("verifier"));
        Documents.text(
                verifier.resolve("reward.txt"), rewards.get(Rewards.REWARD).toString() + "\n");
        Documents.json(verifier.resolve("reward.json"), rewards);
    }

    /** The journal, a line each: what happened, when it was over and how long it took. */
    private String log(String missing) {
        StringBuilder log = new StringBuilder();
        for (JournalEntry entry : played.journal()) {
            log.append(entry.finished().map(Object::toString).orElse("-"))
                    .append(
                            String.format(
                                    Locale.ROOT,
                                    " %s %s %s %d ms\n",
                                    entry.stage(),
                                    entry.effectId(),
                                    entry.kind(),
                                    entry.wallMillis()));
        }
        AttemptSummary attempt = played.attempt();
        log.append("outcome ").append(attempt.outcome());
        log.append(attempt.valid() ? " reward " + attempt.reward() : " no valid reward");
        log.append('\n');
        if (!missing.isEmpty()) {
            log.append("no trajectory: ").append(PlainText.line(missing, 500)).append('\n');
        }
        return log.toString();
    }
}
