package dev.millrace.jobs.export;

import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Trajectory;
import dev.millrace.udfs.model.Turn;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Makes the result of an attempt of what its ledger and its trajectory say. */
final class TrialDocument {
    private final ExportedRun run;
    private final PlayedAttempt played;
    private final String name;
    private final Path job;

    /**
     * @param name of its folder
     * @param job the folder that it is to lie in
     */
    TrialDocument(ExportedRun run, PlayedAttempt played, String name, Path job) {
        this.run = run;
        this.played = played;
        this.name = name;
        this.job = job;
    }

    /** The whole result; the trajectory may be null. */
    TrialResult result(Trajectory trajectory) {
        AttemptSummary attempt = played.attempt();
        AttemptTimes times = new AttemptTimes(played);
        Optional<Timing> whole = times.whole();
        return new TrialResult(
                ExportedRun.uuid(attempt.attemptId()),
                taskName(),
                name,
                job.resolve(name).toUri().toString(),
                new TrialResult.TaskId(taskPath()),
                source(),
                "",
                config(),
                new TrialResult.AgentInfo(
                        ExportedRun.AGENT,
                        run.version(),
                        new TrialResult.ModelInfo(model(), ModelNames.PROVIDER)),
                agentResult(trajectory),
                attempt.valid() ? new TrialResult.VerifierResult(Rewards.of(attempt)) : null,
                TrialFailure.of(attempt).map(failure -> exception(failure, whole)).orElse(null),
                whole.map(Timing::startedAt).orElse(null),
                whole.map(Timing::finishedAt).orElse(null),
                times.environment().orElse(null),
                null,
                times.agent().orElse(null),
                times.verifier().orElse(null));
    }

    TrialConfig config() {
        return new TrialConfig(
                new TrialConfig.TaskConfig(taskPath(), source()),
                name,
                job.toString(),
                run.agent(model()),
                run.environment(),
                run.verifier(),
                ExportedRun.uuid(run.runId()));
    }

    String model() {
        return run.models().of(played.group().policy().version());
    }

    /** The set of tasks; greedy attempts are no part of what sampled ones are measured by. */
    String source() {
        GroupRecord group = played.group();
        String split = group.task().split().name().toLowerCase(Locale.ROOT);
        return group.greedy() ? split + "-greedy" : split;
    }

    /** Folder of the task, or its address when it lies on no disk. */
    String taskPath() {
        String uri = played.group().task().uri();
        try {
            return uri.startsWith("file:")
                    ? Path.of(URI.create(uri)).toString()
                    : PlainText.of(uri);
        } catch (IllegalArgumentException e) {
            return PlainText.of(uri);
        }
    }

    String taskName() {
        return PlainText.line(played.group().task().taskId(), 200);
    }

    private TrialResult.ExceptionInfo exception(TrialFailure failure, Optional<Timing> whole) {
        Instant unknown = run.since();
        return new TrialResult.ExceptionInfo(
                failure.type(),
                failure.message(),
                "",
                whole.map(Timing::finishedAt).orElseGet(unknown::toString));
    }

    private TrialResult.AgentResult agentResult(Trajectory trajectory) {
        Long prompts =
                trajectory == null
                        ? null
                        : (Long) trajectory.turns().stream().mapToLong(Turn::firstToken).sum();
        return new TrialResult.AgentResult(
                prompts,
                null,
                (long) played.attempt().generatedTokens(),
                null,
                trajectory == null ? null : List.of(rollout(trajectory)),
                metadata());
    }

    private static TrialResult.RolloutDetail rollout(Trajectory trajectory) {
        int[] tokens = trajectory.tokens();
        List<Turn> turns = trajectory.turns();
        List<LogprobArray> logprobs =
                turns.stream()
                        .map(t -> new LogprobArray(trajectory.logprobs(), t.firstToken(), end(t)))
                        .toList();
        return new TrialResult.RolloutDetail(
                turns.stream().map(t -> new TokenArray(tokens, 0, t.firstToken())).toList(),
                turns.stream().map(t -> new TokenArray(tokens, t.firstToken(), end(t))).toList(),
                logprobs.stream().allMatch(LogprobArray::finite) ? logprobs : List.of(),
                Map.of("policy_version", turns.stream().map(t -> t.served().toString()).toList()));
    }

    private static int end(Turn turn) {
        return turn.firstToken() + turn.generatedTokens();
    }

    /** What Harbor has no field for. */
    Map<String, Object> metadata() {
        AttemptSummary attempt = played.attempt();
        GroupRecord group = played.group();
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("attempt_id", attempt.attemptId());
        metadata.put("group_id", group.groupId());
        metadata.put("admission_id", group.admissionId());
        metadata.put("lane", group.lane().name());
        metadata.put("eval_round", group.evalRound());
        metadata.put("verdict", group.verdict().name());
        metadata.put("outcome", attempt.outcome().name());
        metadata.put("valid", attempt.valid());
        metadata.put(
                "failure_class",
                attempt.failure() == null ? null : attempt.failure().failureClass().name());
        metadata.put("failure_cause", attempt.failure() == null ? null : attempt.failure().cause());
        metadata.put(
                "flags",
                attempt.flags() == null
                        ? List.of()
                        : attempt.flags().stream().map(PlainText::of).toList());
        metadata.put("turns", attempt.turns());
        metadata.put("tries", attempt.tries());
        metadata.put("running_millis", attempt.runningMillis());
        metadata.put("grading_millis", attempt.gradingMillis());
        return metadata;
    }
}
