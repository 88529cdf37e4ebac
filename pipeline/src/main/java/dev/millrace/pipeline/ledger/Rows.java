package dev.millrace.pipeline.ledger;

import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.ContentRef;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.StepAccounts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;

/** Rows of all tables but the journal's. */
final class Rows {
    private Rows() {}

    static GenericRecord group(GroupRecord group, LedgerLine line) {
        List<AttemptSummary> valid = attempts(group).stream().filter(a -> a.valid()).toList();
        return begin(LedgerTable.GROUPS, group.runId(), line)
                .set("lane", group.lane().name())
                .set("group_id", group.groupId())
                .set("group_index", group.groupIndex())
                .set("admission_id", group.admissionId())
                .set("task_id", group.task().taskId())
                .set("task_uri", group.task().uri())
                .set("split", group.task().split().name())
                .set("family", text(group.task().family()))
                .set("policy_epoch", group.policy().version().epoch())
                .set("policy_step", group.policy().version().step())
                .set("eval_round", text(group.evalRound()))
                .set("greedy", group.greedy())
                .set("verdict", group.verdict().name())
                .set("cause", text(group.cause()))
                .set("reward_mean", group.rewardMean())
                .set("attempts", attempts(group).size())
                .set("valid_attempts", valid.size())
                .set("rewards", valid.stream().map(AttemptSummary::reward).toList())
                .build();
    }

    static List<GenericRecord> attempts(GroupRecord group, LedgerLine line) {
        return attempts(group).stream().map(attempt -> attempt(group, attempt, line)).toList();
    }

    private static GenericRecord attempt(
            GroupRecord group, AttemptSummary attempt, LedgerLine line) {
        Optional<Failure> failure = Optional.ofNullable(attempt.failure());
        Optional<ContentRef> trajectory = Optional.ofNullable(attempt.trajectory());
        return begin(LedgerTable.ATTEMPTS, group.runId(), line)
                .set("group_id", group.groupId())
                .set("attempt_id", attempt.attemptId())
                .set("attempt_index", attempt.attemptIndex())
                .set("admission_id", group.admissionId())
                .set("outcome", attempt.outcome().name())
                .set("valid", attempt.valid())
                .set("reward", attempt.reward())
                .set("failure_class", failure.map(f -> f.failureClass().name()).orElse(null))
                .set("failure_cause", failure.map(Failure::cause).orElse(null))
                .set("failure_message", failure.map(Failure::message).orElse(null))
                .set("flags", attempt.flags() == null ? List.of() : attempt.flags())
                .set("trajectory_uri", trajectory.map(ContentRef::uri).orElse(null))
                .set("trajectory_bytes", trajectory.map(ContentRef::bytes).orElse(0L))
                .set("trajectory_sha256", trajectory.map(ContentRef::sha256).orElse(null))
                .set("turns", attempt.turns())
                .set("generated_tokens", attempt.generatedTokens())
                .set("total_tokens", attempt.totalTokens())
                .set("oldest_epoch", attempt.oldestVersion().epoch())
                .set("oldest_step", attempt.oldestVersion().step())
                .set("running_millis", attempt.runningMillis())
                .set("grading_millis", attempt.gradingMillis())
                .set("tries", attempt.tries())
                .build();
    }

    static GenericRecord step(PolicyRecord policy, LedgerLine line) {
        return begin(LedgerTable.STEPS, policy.runId(), line)
                .set("kind", policy.kind().name())
                .set("epoch", policy.epoch())
                .set("step", policy.step())
                .set("parent_epoch", policy.parentEpoch())
                .set("nonce", text(policy.nonce()))
                .set("uri", text(policy.uri()))
                .set("last", policy.last())
                .set("metrics", policy.metrics() == null ? Map.of() : policy.metrics())
                .build();
    }

    static GenericRecord progress(ProgressRecord progress, LedgerLine line) {
        return begin(LedgerTable.PROGRESS, progress.runId(), line)
                .set("kind", progress.kind().name())
                .set("source", progress.source())
                .set("epoch", progress.epoch())
                .set("group_id", text(progress.groupId()))
                .set("group_index", progress.groupIndex())
                .set("step", progress.step())
                .set("cause", text(progress.cause()))
                .build();
    }

    static GenericRecord accounts(ProgressRecord progress, LedgerLine line) {
        StepAccounts accounts = progress.accounts();
        return begin(LedgerTable.ACCOUNTS, progress.runId(), line)
                .set("epoch", progress.epoch())
                .set("step", progress.step())
                .set("offered", accounts.offered())
                .set("trained", accounts.trained())
                .set("dropped", accounts.dropped())
                .set("open", accounts.open())
                .set("violations", accounts.violations())
                .build();
    }

    static GenericRecord reject(Reject reject, LedgerLine line) {
        return begin(LedgerTable.REJECTS, text(reject.runId()), line)
                .set("stage", text(reject.stage()))
                .set("reason", text(reject.reason()))
                .set("key", text(reject.key()))
                .set("detail", text(reject.detail()))
                .build();
    }

    static GenericRecordBuilder begin(LedgerTable table, String runId, LedgerLine line) {
        return new GenericRecordBuilder(table.schema())
                .set("run_id", runId)
                .set("topic_partition", line.partition())
                .set("topic_offset", line.offset())
                .set("topic_millis", line.writtenMillis() < 0 ? null : line.writtenMillis());
    }

    static String text(String value) {
        return value == null ? "" : value;
    }

    private static List<AttemptSummary> attempts(GroupRecord group) {
        return group.attempts() == null ? List.of() : group.attempts();
    }
}
