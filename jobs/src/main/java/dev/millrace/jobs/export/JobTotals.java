package dev.millrace.jobs.export;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Sums over the attempts of a run. Of each attempt only its name stays. */
final class JobTotals {
    private final Map<String, Sums> evals = new TreeMap<>();
    private final Map<String, String> taskFolders = new TreeMap<>();
    private final Map<String, Long> lanes = new TreeMap<>();
    private Optional<Instant> started = Optional.empty();
    private Optional<Instant> finished = Optional.empty();
    private long attempts;
    private long errors;
    private long cancelled;
    private long retries;
    private long inputTokens;
    private long outputTokens;
    private long invalid;
    private long withoutTrajectory;

    /** Sums of one agent, model and set of tasks. */
    private static final class Sums {
        private final Map<String, Map<Double, List<String>>> rewards = new TreeMap<>();
        private final Map<String, List<String>> exceptions = new TreeMap<>();
        private double reward;
        private long valid;
        private long errors;

        JobResult.Eval eval() {
            List<Map<String, Double>> mean =
                    valid == 0 ? List.of() : List.of(Map.of("mean", reward / valid));
            return new JobResult.Eval(valid, errors, mean, Map.of(), rewards, exceptions);
        }
    }

    /** Adds an attempt. */
    void add(PlayedAttempt played, TrialResult trial) {
        attempts++;
        lanes.merge(played.group().lane().name(), 1L, Long::sum);
        retries += Math.max(0, played.attempt().tries() - 1);
        TrialResult.AgentResult used = trial.agentResult();
        inputTokens += used.nInputTokens() == null ? 0 : used.nInputTokens();
        outputTokens += used.nOutputTokens();
        withoutTrajectory += used.rolloutDetails() == null ? 1 : 0;
        String folder = trial.taskId().path();
        int slash = folder.lastIndexOf('/');
        taskFolders.putIfAbsent(trial.source(), slash > 0 ? folder.substring(0, slash) : folder);
        times(trial);
        Sums sums = evals.computeIfAbsent(key(trial), key -> new Sums());
        rewards(trial, sums);
        exception(trial, sums);
    }

    private void times(TrialResult trial) {
        if (trial.startedAt() != null) {
            Instant from = Instant.parse(trial.startedAt());
            Instant to = Instant.parse(trial.finishedAt());
            started = started.filter(from::isAfter).or(() -> Optional.of(from));
            finished = finished.filter(to::isBefore).or(() -> Optional.of(to));
        }
    }

    private void rewards(TrialResult trial, Sums sums) {
        if (trial.verifierResult() == null) {
            invalid++;
            return;
        }
        sums.valid++;
        sums.reward += trial.verifierResult().rewards().get(Rewards.REWARD);
        trial.verifierResult()
                .rewards()
                .forEach(
                        (name, value) ->
                                sums.rewards
                                        .computeIfAbsent(name, key -> new TreeMap<>())
                                        .computeIfAbsent(value, key -> new ArrayList<>())
                                        .add(trial.trialName()));
    }

    private void exception(TrialResult trial, Sums sums) {
        if (trial.exceptionInfo() == null) {
            return;
        }
        String type = trial.exceptionInfo().exceptionType();
        errors++;
        sums.errors++;
        cancelled += type.equals(TrialFailure.CANCELLED) ? 1 : 0;
        sums.exceptions.computeIfAbsent(type, key -> new ArrayList<>()).add(trial.trialName());
    }

    private static String key(TrialResult trial) {
        return String.join(
                "__",
                trial.agentInfo().name(),
                trial.agentInfo().modelInfo().name(),
                trial.source());
    }

    /**
     * The result of the run.
     *
     * @param run which it is; its own times stand for those that no attempt has
     */
    JobResult result(ExportedRun run) {
        Map<String, JobResult.Eval> all = new TreeMap<>();
        evals.forEach((key, sums) -> all.put(key, sums.eval()));
        String last =
                finished.or(() -> Optional.ofNullable(run.until()))
                        .map(Instant::toString)
                        .orElse(null);
        return new JobResult(
                ExportedRun.uuid(run.runId()),
                started.orElse(run.since()).toString(),
                last,
                run.until() == null ? null : last,
                attempts,
                new JobResult.Stats(
                        attempts,
                        errors,
                        0,
                        0,
                        cancelled,
                        retries,
                        all,
                        inputTokens,
                        null,
                        outputTokens,
                        null));
    }

    /** Folders of tasks, one for each set of them. */
    List<String> taskFolders() {
        return taskFolders.values().stream().distinct().toList();
    }

    /** What was exported, in a line. */
    ExportReport report(Path folder) {
        return new ExportReport(
                folder,
                attempts,
                lanes.getOrDefault("TRAIN", 0L),
                lanes.getOrDefault("EVAL", 0L),
                invalid,
                withoutTrajectory);
    }
}
