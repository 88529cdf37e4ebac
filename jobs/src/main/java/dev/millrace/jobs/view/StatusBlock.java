package dev.millrace.jobs.view;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Draws a run as one block of lines, no wider than 80 columns. */
final class StatusBlock {
    static final int WIDTH = 80;
    private static final int LABEL = 10;
    private static final List<String> FIRST =
            List.of("loss", "entropy", "kl", "gradNorm", "clipFraction");

    private final DisplayStyle style;
    private final Glyphs glyphs;
    private final String webUi;

    /**
     * Draws in a style.
     *
     * @param webUi address to show, empty for none
     */
    StatusBlock(DisplayStyle style, String webUi) {
        this.style = style;
        this.glyphs = new Glyphs(style.unicode());
        this.webUi = webUi;
    }

    /** The lines, without line ends. */
    List<String> lines(RunStatus run, Duration elapsed) {
        List<String> lines = new ArrayList<>();
        lines.add(bold(Words.cut(title(run, elapsed), WIDTH)));
        add(lines, "reward", reward(run));
        if (run.starved()) {
            lines.add(
                    red(
                            label("STARVED")
                                    + fitted(
                                            "the last groups all had equal rewards: nothing to"
                                                    + " learn from")));
        }
        add(lines, "policy", policy(run));
        Accounts groups = run.accounts();
        add(
                lines,
                "groups",
                Words.format(
                        "offered %d = trained %d + dropped %d + open %d",
                        groups.offered(), groups.trained(), groups.dropped(), groups.open()));
        add(lines, "dropped", Words.counts(groups.droppedByCause()));
        add(lines, "lag", lag(run.lag()));
        add(lines, "now", now(run.activity()));
        addRounds(lines, run.rounds());
        if (!run.rejects().isEmpty()) {
            lines.add(red(label("rejects") + fitted(Words.counts(run.rejects()))));
        }
        if (!webUi.isEmpty()) {
            add(lines, "web UI", webUi);
        }
        return lines;
    }

    private String title(RunStatus run, Duration elapsed) {
        RunShape shape = run.shape();
        double share = (double) run.step() / Math.max(1, shape.totalSteps());
        String left =
                run.timeLeft()
                        .filter(time -> run.step() < shape.totalSteps())
                        .map(time -> ", about " + Words.duration(time) + " left")
                        .orElse("");
        return Words.format(
                "%-10s step %d/%d %s %s%s",
                shape.name(),
                run.step(),
                shape.totalSteps(),
                glyphs.bar(share, 12),
                Words.duration(elapsed),
                left);
    }

    private String reward(RunStatus run) {
        if (run.reward().isEmpty()) {
            return "no training group has finished yet";
        }
        return Words.format(
                "%s  %s  (all of the last %d groups; %s mixed)",
                Words.number(run.reward()),
                glyphs.curve(run.rewardCurve()),
                3 * run.shape().groupsPerBatch(),
                Words.percent(run.mixedRate()));
    }

    private static String policy(RunStatus run) {
        if (run.version().step() < 0) {
            return "none published yet";
        }
        StringBuilder line = new StringBuilder(run.version().toString());
        for (String metric : metrics(run.metrics())) {
            if (line.length() + 2 + metric.length() <= WIDTH - LABEL) {
                line.append("  ").append(metric);
            }
        }
        return line.toString();
    }

    /** What people look at first comes first. */
    private static List<String> metrics(Map<String, Double> metrics) {
        return metrics.entrySet().stream()
                .filter(metric -> Double.isFinite(metric.getValue()))
                .sorted(
                        Comparator.<Map.Entry<String, Double>>comparingInt(
                                        metric -> rank(metric.getKey()))
                                .thenComparing(Map.Entry.comparingByKey()))
                .map(StatusBlock::metric)
                .toList();
    }

    private static int rank(String metric) {
        int rank = FIRST.indexOf(metric);
        return rank < 0 ? FIRST.size() : rank;
    }

    private static String metric(Map.Entry<String, Double> metric) {
        return metric.getKey() + " " + Words.format("%.3g", metric.getValue());
    }

    private static String lag(Lag lag) {
        return lag.groups() == 0
                ? "nothing trained yet"
                : Words.format("mean %.2f, max %d steps", lag.mean(), lag.max());
    }

    private static String now(Activity activity) {
        return Words.format(
                "%d playing, %d grading, %.1f turns/s, %.1f attempts/s",
                activity.playing(),
                activity.grading(),
                activity.turnsPerSecond(),
                activity.attemptsPerSecond());
    }

    /** The first rounds, where the run began, and the newest ones. */
    private void addRounds(List<String> lines, List<EvalRound> rounds) {
        String name = "held out";
        for (int i = 0; i < rounds.size(); i++) {
            boolean shown = i < 2 || i >= rounds.size() - 2;
            if (shown) {
                add(lines, name, round(rounds.get(i)));
                name = "";
            }
        }
    }

    private static String round(EvalRound round) {
        String score =
                round.reward()
                        .map(r -> Words.interval(r) + ", " + r.attempts() + " attempts")
                        .orElse("-");
        String running =
                round.complete()
                        ? ""
                        : round.expectedTasks() > 0
                                ? Words.format(
                                        "  (%d of %d tasks)", round.tasks(), round.expectedTasks())
                                : Words.format("  (%d tasks)", round.tasks());
        String kind = round.greedy() ? "greedy" : "sampled";
        return Words.format("%-6s %-7s %s%s", round.version(), kind, score, running);
    }

    private void add(List<String> lines, String label, String text) {
        lines.add(dim(label(label)) + fitted(text));
    }

    private static String label(String label) {
        return Words.format("%-" + LABEL + "s", label);
    }

    private static String fitted(String text) {
        return Words.cut(text, WIDTH - LABEL);
    }

    private String bold(String text) {
        return coloured("1", text);
    }

    private String dim(String text) {
        return coloured("2", text);
    }

    private String red(String text) {
        return coloured("31", text);
    }

    private String coloured(String code, String text) {
        return style.colour() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }
}
