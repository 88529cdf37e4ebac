package dev.millrace.jobs.view;

import dev.millrace.udfs.model.PolicyVersion;
import java.util.Optional;

/**
 * What one evaluation round has measured so far.
 *
 * @param name of the round
 * @param version that was measured
 * @param greedy whether at temperature 0
 * @param tasks held-out tasks that are closed
 * @param expectedTasks tasks of the whole round, 0 when unknown
 * @param reward over the valid attempts; nothing before the first
 * @param invalid attempts without a trustworthy verdict; they don't count
 */
public record EvalRound(
        String name,
        PolicyVersion version,
        boolean greedy,
        long tasks,
        long expectedTasks,
        Optional<Interval> reward,
        long invalid) {

    /** Whether every task of the round is closed. */
    public boolean complete() {
        return expectedTasks > 0 && tasks >= expectedTasks;
    }
}
