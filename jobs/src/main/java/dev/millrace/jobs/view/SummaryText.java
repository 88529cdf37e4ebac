package dev.millrace.jobs.view;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Tells a person what a run reached, when it has ended. */
public final class SummaryText {
    private final RunSummary summary;
    private final Glyphs glyphs;
    private final List<String> lines = new ArrayList<>();

    private SummaryText(RunSummary summary, DisplayStyle style) {
        this.summary = summary;
        this.glyphs = new Glyphs(style.unicode());
    }

    /** The lines, without line ends. */
    public static List<String> lines(RunSummary summary, Path output, DisplayStyle style) {
        SummaryText text = new SummaryText(summary, style);
        text.title();
        text.heldOut();
        text.training();
        text.paths(output);
        return text.lines;
    }

    /** One of several runs, in a line. */
    public static String line(RunSummary summary) {
        RunSummary.Reward reward = summary.heldOutReward();
        return Words.format(
                "%s  %s, %d of %d steps, held out %s -> %s",
                summary.runId(),
                summary.state(),
                summary.steps(),
                summary.totalSteps(),
                mean(reward.before()),
                mean(reward.after()));
    }

    private static String mean(Double reward) {
        return reward == null ? "-" : Words.format("%.2f", reward);
    }

    private void title() {
        add(
                "Millrace %s: %s, %d of %d steps in %s",
                summary.name(),
                summary.state(),
                summary.steps(),
                summary.totalSteps(),
                Words.duration(Duration.ofMillis((long) (1000 * summary.wallSeconds()))));
        if (summary.state().equals(RunOutcome.STARVED.text())) {
            add(
                    "All of the last groups had equal rewards, so there was nothing to learn from,"
                            + " and the run");
            add(
                    "ended (limits.starvationLimit). Are the tasks too easy or too hard for this"
                            + " policy?");
        }
        add("");
    }

    private void heldOut() {
        add("Held-out tasks   mean reward [95 %% interval] attempts, before and after");
        row("sampled", summary.sampled());
        row("greedy", summary.greedy());
        WarmUpReport warmUp = summary.warmUp();
        if (warmUp.steps() > 0) {
            add(
                    "  Before is after a warm-up: %d supervised steps on demonstrations of",
                    warmUp.steps());
            add(
                    "  %d training tasks (%.0f %% of them without one of the steps), until the"
                            + " mean",
                    warmUp.demonstrations(), 100 * warmUp.hastyShare());
            add("  reward on training tasks was %.2f.", warmUp.trainingReward());
        }
        if (summary.smoke()) {
            add("  This was a smoke run: it shows that everything works, and learns nothing.");
        }
        add("");
    }

    private void row(String kind, RunSummary.Detail detail) {
        if (detail.before() == null) {
            return;
        }
        add(
                "  %-14s %-23s %s  %s",
                kind,
                measured(detail.before()),
                glyphs.arrow(),
                detail.after() == null ? "not measured" : measured(detail.after()));
    }

    private static String measured(RunSummary.Measured measured) {
        return Words.format(
                "%.2f [%.2f, %.2f] %d",
                measured.reward(), measured.low(), measured.high(), measured.attempts());
    }

    private void training() {
        RunSummary.Reward reward = summary.trainingReward();
        if (reward.before() != null && reward.after() != null) {
            add(
                    "Training reward  %.2f %s %.2f (all groups of the first and last 3 batches)",
                    reward.before(), glyphs.arrow(), reward.after());
        }
        add(
                "Groups           %d offered = %d trained + %d dropped + %d open",
                summary.offered(),
                summary.trained(),
                summary.offered() - summary.trained() - summary.open(),
                summary.open());
        if (summary.violations() != null) {
            summary.violations().forEach(each -> add("  VIOLATED       %s", each));
        }
        add("  dropped        %s", Words.counts(summary.droppedByCause()));
        add("Lag              mean %.2f, max %d steps", summary.lag().mean(), summary.lag().max());
        add("Rejects          %s", Words.counts(summary.rejects()));
        if (summary.peakRssBytes() > 0) {
            add("Peak memory      %s, without sandboxes", Words.bytes(summary.peakRssBytes()));
        }
        add("");
    }

    private void paths(Path output) {
        add("Output           %s", output);
        add("  summary.json   these figures and more (docs/summary.md)");
        add("  ledger/        attempts, turns, groups, steps, rejects as Parquet");
        add("  events.jsonl   publications, evaluations, starts and stops");
        add("  config.yaml    the recipe as it was used");
        add("The web UI ended with the run.");
        if (summary.state().equals(RunOutcome.INTERRUPTED.text())) {
            add("Next             bin/millrace train --output %s --resume", output);
        } else {
            add("Next             bin/millrace summarize --output %s", output);
        }
    }

    private void add(String pattern, Object... values) {
        lines.add(Words.format(pattern, values));
    }
}
