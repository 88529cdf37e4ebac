package dev.millrace.jobs.view;

import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Verdict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Passes records on to a view, and writes down what is worth a line in the event log. */
public final class RunEvents implements RunRecords {
    private static final Set<String> ALARMS = Set.of(Reject.FAILURE_RATE, Reject.EQUAL_ATTEMPTS);
    private static final String NO_PROGRESS = "no_progress";

    private final RunView view;
    private final EventLog log;
    private final String runId;
    private boolean starved;

    /** Events of one run. */
    public RunEvents(RunShape shape, RunView view, EventLog log) {
        this.view = view;
        this.log = log;
        this.runId = shape.runId();
    }

    @Override
    public void group(GroupRecord group, long millis) {
        Optional<EvalRound> round = view.closed(group);
        round.filter(EvalRound::complete).ifPresent(complete -> evaluation(complete, millis));
        if (!group.runId().equals(runId)) {
            return;
        }
        if (group.drained()) {
            log.write(
                    millis,
                    "drained",
                    "drained",
                    Map.of("cause", view.status(millis).endedEarly()));
        } else if (group.verdict() == Verdict.FAILED && group.lane() == Lane.TRAIN) {
            log.write(
                    millis,
                    "group_failed",
                    "group_failed/" + group.groupId(),
                    Map.of(
                            "group", group.groupId(),
                            "task", group.task().taskId(),
                            "cause", group.cause()));
        }
        sayStarved(group, millis);
    }

    @Override
    public void policy(PolicyRecord policy, long millis) {
        view.policy(policy, millis);
        if (!policy.runId().equals(runId)) {
            return;
        }
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("epoch", policy.epoch());
        values.put("step", policy.step());
        if (policy.kind() == PolicyRecord.Kind.ANNOUNCE) {
            values.put("parentEpoch", policy.parentEpoch());
            String id = "trainer_start/" + policy.epoch() + "/" + policy.nonce();
            log.write(millis, "trainer_start", id, values);
            return;
        }
        if (policy.kind() == PolicyRecord.Kind.FAILED) {
            values.put("cause", policy.cause());
            log.write(millis, "trainer_failed", "trainer_failed/" + policy.epoch(), values);
            return;
        }
        values.put("version", policy.version().toString());
        values.put("last", policy.last());
        if (policy.metrics() != null) {
            values.putAll(policy.metrics());
        }
        log.write(millis, "publication", "publication/" + policy.version(), values);
        List<String> violations = view.violations();
        if (!violations.isEmpty()) {
            accountsViolated(policy.version().toString(), String.join("; ", violations), millis);
        }
    }

    @Override
    public void progress(ProgressRecord progress, long millis) {
        view.progress(progress, millis);
    }

    @Override
    public void step(StepEvent event, long millis) {
        view.step(event, millis);
    }

    @Override
    public void reject(Reject reject, long millis) {
        view.reject(reject, millis);
        if (reject.reason().equals(NO_PROGRESS) && concerns(reject)) {
            log.write(
                    millis,
                    NO_PROGRESS,
                    String.join("/", NO_PROGRESS, reject.stage(), reject.key(), "" + millis),
                    Map.of(
                            "stage", reject.stage(),
                            "subtask", reject.key(),
                            "detail", reject.detail()));
        }
        if (ALARMS.contains(reject.reason()) && concerns(reject)) {
            log.write(
                    millis,
                    reject.reason(),
                    String.join("/", reject.reason(), reject.stage(), reject.key(), "" + millis),
                    Map.of(
                            "stage", reject.stage(),
                            "key", reject.key(),
                            "detail", reject.detail()));
        }
        if (reject.reason().equals(Reject.ACCOUNTS_VIOLATED) && reject.runId().equals(runId)) {
            accountsViolated(reject.key(), reject.detail(), millis);
        }
    }

    /** What is said of no run in particular concerns all runs of a job. */
    private boolean concerns(Reject reject) {
        return reject.runId().isEmpty() || reject.runId().equals(runId);
    }

    /** The accounts of a version don't balance. */
    void accountsViolated(String version, String what, long millis) {
        log.write(
                millis,
                "accounts_violated",
                "accounts_violated/" + version + "/" + what.hashCode(),
                Map.of("version", version, "violations", what));
    }

    private void sayStarved(GroupRecord group, long millis) {
        boolean now = view.starved();
        if (now && !starved) {
            log.write(
                    millis,
                    "starved",
                    "starved/" + group.groupId(),
                    Map.of("group", group.groupId()));
        }
        starved = now;
    }

    private void evaluation(EvalRound round, long millis) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("round", round.name());
        values.put("version", round.version().toString());
        values.put("greedy", round.greedy());
        values.put("tasks", round.tasks());
        round.reward()
                .ifPresent(
                        reward -> {
                            values.put("reward", reward.mean());
                            values.put("low", reward.low());
                            values.put("high", reward.high());
                            values.put("attempts", reward.attempts());
                        });
        values.put("invalidAttempts", round.invalid());
        String id = "evaluation/" + round.version() + "/" + (round.greedy() ? "greedy" : "sampled");
        log.write(millis, "evaluation", id, values);
    }
}
