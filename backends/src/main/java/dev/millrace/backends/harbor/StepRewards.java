package dev.millrace.backends.harbor;

import dev.millrace.backends.port.SandboxFile;
import dev.millrace.udfs.model.FailureClass;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The verdict on an attempt at a task of several steps, out of those on its steps. A step below its
 * minimum ends the attempt, and what follows doesn't count. A step that was not played though the
 * attempt was still to go on is worth nothing: whoever spends all turns on one step gains nothing
 * by it.
 */
final class StepRewards {
    /** Flag of a step that was not played, before its name. */
    static final String UNPLAYED = "step_unplayed:";

    /** Flag of a step that ended the attempt, before its name. */
    static final String BELOW_MINIMUM = "step_below_minimum:";

    private final StepPlan plan;
    private final List<Verdict> verdicts = new ArrayList<>();
    private final List<String> flags = new ArrayList<>();

    private StepRewards(StepPlan plan) {
        this.plan = plan;
    }

    /** Gives the verdict on one step. */
    interface Judge {
        Verdict of(TaskStep step, List<SandboxFile> captured);
    }

    /**
     * Judges step after step.
     *
     * @param played what was captured at the ends of the steps that were played
     */
    static Verdict of(StepPlan plan, List<List<SandboxFile>> played, Judge judge) {
        return new StepRewards(plan).judge(played, judge);
    }

    private Verdict judge(List<List<SandboxFile>> played, Judge judge) {
        for (int i = 0; i < plan.steps().size(); i++) {
            TaskStep step = plan.steps().get(i);
            if (i >= played.size()) {
                flags.add(UNPLAYED + step.name());
                verdicts.add(nothing());
                continue;
            }
            Verdict verdict = judge.of(step, played.get(i));
            verdict.flags().forEach(flag -> flags.add(step.name() + ":" + flag));
            if (!verdict.graded()) {
                return without(step, verdict);
            }
            flags.add("step_reward:" + step.name() + "=" + verdict.reward());
            verdicts.add(verdict);
            if (!step.isPassed(verdict)) {
                flags.add(BELOW_MINIMUM + step.name());
                break;
            }
        }
        return plan.onlyLast() ? last() : mean();
    }

    private static Verdict nothing() {
        return new Verdict(0.0, null, "", List.of(), -1, 0, "", Map.of("reward", 0.0));
    }

    /** An attempt is graded whole or not at all. */
    private Verdict without(TaskStep step, Verdict verdict) {
        FailureClass by = verdict.failureClass();
        String tail = "step " + step.name() + ": " + verdict.outputTail();
        return new Verdict(
                null, by, verdict.cause(), List.copyOf(flags), verdict.exitCode(), 0, tail);
    }

    private Verdict last() {
        Verdict last = verdicts.get(verdicts.size() - 1);
        return whole(last.rewards());
    }

    /** For each name; where a step doesn't have it, it counts as 0. */
    private Verdict mean() {
        Set<String> names = new TreeSet<>();
        verdicts.forEach(each -> names.addAll(each.rewards().keySet()));
        Map<String, Double> means = new LinkedHashMap<>();
        for (String name : names) {
            double sum = 0;
            for (Verdict each : verdicts) {
                sum += each.rewards().getOrDefault(name, 0.0);
            }
            means.put(name, sum / verdicts.size());
        }
        return whole(means);
    }

    private Verdict whole(Map<String, Double> rewards) {
        Verdict last = verdicts.get(verdicts.size() - 1);
        return new Verdict(
                rewards.get("reward"),
                null,
                "",
                List.copyOf(flags),
                last.exitCode(),
                0,
                last.outputTail(),
                Map.copyOf(rewards));
    }
}
