package dev.millrace.jobs.view;

import java.time.Duration;

/** Says how a run stands in one line, for logs and pipes. */
final class StatusLine {
    private StatusLine() {}

    static String line(RunStatus run, Duration elapsed) {
        Accounts groups = run.accounts();
        String evaluation =
                run.rounds().isEmpty()
                        ? ""
                        : ", held out " + round(run.rounds().get(run.rounds().size() - 1));
        return Words.format(
                "%5d s  step %d/%d, reward %s, groups %d = %d trained + %d dropped + %d open,"
                        + " lag max %d, %.1f turns/s%s%s",
                elapsed.toSeconds(),
                run.step(),
                run.shape().totalSteps(),
                Words.number(run.reward()),
                groups.offered(),
                groups.trained(),
                groups.dropped(),
                groups.open(),
                run.lag().max(),
                run.activity().turnsPerSecond(),
                evaluation,
                run.starved() ? ", STARVED: no group is mixed" : "");
    }

    private static String round(EvalRound round) {
        String mean = round.reward().map(r -> Words.format("%.2f", r.mean())).orElse("-");
        String open =
                round.complete()
                        ? ""
                        : Words.format(" (%d/%d)", round.tasks(), round.expectedTasks());
        return Words.format(
                "%s %s %s%s", round.version(), round.greedy() ? "greedy" : "sampled", mean, open);
    }
}
