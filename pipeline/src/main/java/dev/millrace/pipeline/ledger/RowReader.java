package dev.millrace.pipeline.ledger;

import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.ContentRef;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.StepAccounts;
import dev.millrace.udfs.model.Task;
import dev.millrace.udfs.model.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.generic.GenericRecord;

/** Makes records of rows again. What no column holds, such as a policy's address, is empty. */
public final class RowReader {
    private RowReader() {}

    /** A closed group, without the policy's address. */
    public static GroupRecord group(GenericRecord row, List<AttemptSummary> attempts) {
        Task task =
                new Task(
                        text(row, "task_id"),
                        text(row, "task_uri"),
                        Split.valueOf(text(row, "split")),
                        text(row, "family"));
        PolicyVersion version =
                new PolicyVersion((long) row.get("policy_epoch"), (long) row.get("policy_step"));
        return new GroupRecord(
                text(row, "run_id"),
                false,
                Lane.valueOf(text(row, "lane")),
                text(row, "group_id"),
                (long) row.get("group_index"),
                text(row, "admission_id"),
                task,
                new PolicyRef(version, ""),
                text(row, "eval_round"),
                (boolean) row.get("greedy"),
                Verdict.valueOf(text(row, "verdict")),
                text(row, "cause"),
                (double) row.get("reward_mean"),
                attempts);
    }

    /** An attempt of a closed group. */
    public static AttemptSummary attempt(GenericRecord row) {
        List<String> flags = new ArrayList<>();
        ((List<?>) row.get("flags")).forEach(flag -> flags.add(flag.toString()));
        return new AttemptSummary(
                text(row, "attempt_id"),
                (int) row.get("attempt_index"),
                Outcome.valueOf(text(row, "outcome")),
                (boolean) row.get("valid"),
                (double) row.get("reward"),
                failure(row),
                flags,
                trajectory(row),
                (int) row.get("turns"),
                (int) row.get("generated_tokens"),
                (int) row.get("total_tokens"),
                new PolicyVersion((long) row.get("oldest_epoch"), (long) row.get("oldest_step")),
                (long) row.get("running_millis"),
                (long) row.get("grading_millis"),
                (int) row.get("tries"));
    }

    /** An announcement or a publication. */
    public static PolicyRecord step(GenericRecord row) {
        Map<String, Double> metrics = new TreeMap<>();
        ((Map<?, ?>) row.get("metrics"))
                .forEach((name, value) -> metrics.put(name.toString(), (Double) value));
        return new PolicyRecord(
                text(row, "run_id"),
                PolicyRecord.Kind.valueOf(text(row, "kind")),
                (long) row.get("epoch"),
                (long) row.get("step"),
                (long) row.get("parent_epoch"),
                text(row, "nonce"),
                text(row, "uri"),
                (boolean) row.get("last"),
                metrics);
    }

    /** What became of a closed group. */
    public static ProgressRecord progress(GenericRecord row) {
        return new ProgressRecord(
                text(row, "run_id"),
                ProgressRecord.Kind.valueOf(text(row, "kind")),
                text(row, "source"),
                (long) row.get("epoch"),
                text(row, "group_id"),
                (long) row.get("group_index"),
                (long) row.get("step"),
                text(row, "cause"));
    }

    /** The balance of a published version. */
    public static ProgressRecord accounts(GenericRecord row) {
        Map<String, Long> dropped = new TreeMap<>();
        ((Map<?, ?>) row.get("dropped"))
                .forEach((cause, groups) -> dropped.put(cause.toString(), (Long) groups));
        List<String> violations = new ArrayList<>();
        ((List<?>) row.get("violations")).forEach(each -> violations.add(each.toString()));
        return ProgressRecord.of(
                text(row, "run_id"),
                new PolicyVersion((long) row.get("epoch"), (long) row.get("step")),
                new StepAccounts(
                        (long) row.get("offered"),
                        (long) row.get("trained"),
                        dropped,
                        (long) row.get("open"),
                        violations));
    }

    /** A record that left the stream. */
    public static Reject reject(GenericRecord row) {
        return new Reject(
                text(row, "run_id"),
                text(row, "stage"),
                text(row, "reason"),
                text(row, "key"),
                text(row, "detail"));
    }

    private static Failure failure(GenericRecord row) {
        return row.get("failure_class") == null
                ? null
                : new Failure(
                        FailureClass.valueOf(text(row, "failure_class")),
                        text(row, "failure_cause"),
                        text(row, "failure_message"));
    }

    private static ContentRef trajectory(GenericRecord row) {
        return row.get("trajectory_uri") == null
                ? null
                : new ContentRef(
                        text(row, "trajectory_uri"),
                        (long) row.get("trajectory_bytes"),
                        text(row, "trajectory_sha256"));
    }

    private static String text(GenericRecord row, String column) {
        return row.get(column).toString();
    }
}
