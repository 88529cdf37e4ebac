package dev.millrace.jobs.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The file {@code summary.json}: what a run did and what it reached. Explained field by field in
 * docs/summary.md. A value that was not measured is null.
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record RunSummary(
        String state,
        long steps,
        int totalSteps,
        long seed,
        double wallSeconds,
        Reward heldOutReward,
        long offered,
        long trained,
        Map<String, Long> droppedByCause,
        long open,
        String policyVersion,
        long peakRssBytes,
        String runId,
        String name,
        String recipeDigest,
        boolean resumed,
        boolean smoke,
        WarmUpReport warmUp,
        Detail sampled,
        Detail greedy,
        Reward trainingReward,
        Double mixedRate,
        Lag lag,
        long turns,
        long attempts,
        Map<String, Long> rejects,
        List<String> violations) {

    /** Mean rewards at the beginning and at the end. */
    public record Reward(Double before, Double after) {}

    /** Evaluation of held-out tasks at the beginning and at the end. */
    public record Detail(Measured before, Measured after) {}

    /** One evaluation round. */
    public record Measured(
            String version,
            double reward,
            double low,
            double high,
            long attempts,
            long tasks,
            long invalidAttempts) {}

    private static final ObjectMapper JSON =
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /** Sums up a run. */
    public static RunSummary of(RunStatus run, RunFacts facts) {
        Detail sampled = detail(run, false);
        Accounts groups = run.accounts();
        return new RunSummary(
                facts.outcome().text(),
                run.step(),
                run.shape().totalSteps(),
                facts.seed(),
                Math.round(facts.wallSeconds() * 10) / 10.0,
                new Reward(mean(sampled.before()), mean(sampled.after())),
                groups.offered(),
                groups.trained(),
                groups.droppedByCause(),
                groups.open(),
                run.version().toString(),
                facts.peakRssBytes(),
                run.shape().runId(),
                run.shape().name(),
                facts.recipeDigest(),
                facts.resumed(),
                facts.smoke(),
                facts.warmUp(),
                sampled,
                detail(run, true),
                new Reward(boxed(run.firstReward()), boxed(run.reward())),
                boxed(run.mixedRate()),
                run.lag(),
                run.activity().turns(),
                run.activity().attempts(),
                run.rejects(),
                groups.violations());
    }

    /**
     * Writes it as JSON; the file is replaced as a whole.
     *
     * @throws IOException when the disk refuses
     */
    public void write(Path file) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".tmp");
        Files.writeString(draft, JSON.writeValueAsString(this) + "\n", StandardCharsets.UTF_8);
        Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * Reads one that was written.
     *
     * @throws IOException when it can't be read
     */
    public static RunSummary read(Path file) throws IOException {
        return JSON.readValue(file.toFile(), RunSummary.class);
    }

    private static Detail detail(RunStatus run, boolean greedy) {
        return new Detail(measured(run.before(greedy)), measured(run.after(greedy)));
    }

    private static Measured measured(Optional<EvalRound> round) {
        return round.filter(measured -> measured.reward().isPresent())
                .map(
                        measured ->
                                new Measured(
                                        measured.version().toString(),
                                        measured.reward().get().mean(),
                                        measured.reward().get().low(),
                                        measured.reward().get().high(),
                                        measured.reward().get().attempts(),
                                        measured.tasks(),
                                        measured.invalid()))
                .orElse(null);
    }

    private static Double mean(Measured measured) {
        return measured == null ? null : measured.reward();
    }

    private static Double boxed(OptionalDouble value) {
        return value.isPresent() ? value.getAsDouble() : null;
    }
}
