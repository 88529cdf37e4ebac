package dev.millrace.pipeline.ledger;

import java.util.Locale;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.SchemaBuilder.FieldAssembler;

/** The tables of the ledger. Each is a folder of Parquet files of its name in lower case. */
public enum LedgerTable {
    /** Closed groups of both lanes. */
    GROUPS(
            common("groups")
                    .requiredString("lane")
                    .requiredString("group_id")
                    .requiredLong("group_index")
                    .requiredString("admission_id")
                    .requiredString("task_id")
                    .requiredString("task_uri")
                    .requiredString("split")
                    .requiredString("family")
                    .requiredLong("policy_epoch")
                    .requiredLong("policy_step")
                    .requiredString("eval_round")
                    .requiredBoolean("greedy")
                    .requiredString("verdict")
                    .requiredString("cause")
                    .requiredDouble("reward_mean")
                    .requiredInt("attempts")
                    .requiredInt("valid_attempts")
                    .name("rewards")
                    .type(SchemaBuilder.array().items().doubleType())
                    .noDefault()),
    /** The attempts of closed groups. */
    ATTEMPTS(
            common("attempts")
                    .requiredString("group_id")
                    .requiredString("attempt_id")
                    .requiredInt("attempt_index")
                    .requiredString("admission_id")
                    .requiredString("outcome")
                    .requiredBoolean("valid")
                    .requiredDouble("reward")
                    .optionalString("failure_class")
                    .optionalString("failure_cause")
                    .optionalString("failure_message")
                    .name("flags")
                    .type(SchemaBuilder.array().items().stringType())
                    .noDefault()
                    .optionalString("trajectory_uri")
                    .requiredLong("trajectory_bytes")
                    .optionalString("trajectory_sha256")
                    .requiredInt("turns")
                    .requiredInt("generated_tokens")
                    .requiredInt("total_tokens")
                    .requiredLong("oldest_epoch")
                    .requiredLong("oldest_step")
                    .requiredLong("running_millis")
                    .requiredLong("grading_millis")
                    .requiredInt("tries")),
    /** Lines of the journal: every admission and every completed effect. */
    TURNS(
            common("turns")
                    .requiredString("stage")
                    .requiredString("attempt_id")
                    .requiredString("admission_id")
                    .requiredString("effect_id")
                    .requiredString("kind")
                    .requiredLong("wall_millis")
                    .optionalString("lane")
                    .optionalString("group_id")
                    .optionalInt("generated_tokens")
                    .optionalLong("served_epoch")
                    .optionalLong("served_step")
                    .optionalString("action")
                    .optionalInt("exit_code")
                    .optionalBoolean("timed_out")
                    .optionalInt("observation_tokens")
                    .optionalLong("output_bytes")
                    .optionalDouble("reward")
                    .optionalString("failure_class")
                    .optionalString("failure_cause")),
    /** Announcements and publications of the trainer. */
    STEPS(
            common("steps")
                    .requiredString("kind")
                    .requiredLong("epoch")
                    .requiredLong("step")
                    .requiredLong("parent_epoch")
                    .requiredString("nonce")
                    .requiredString("uri")
                    .requiredBoolean("last")
                    .name("metrics")
                    .type(SchemaBuilder.map().values().doubleType())
                    .noDefault()),
    /** What became of groups after they were closed. */
    PROGRESS(
            common("progress")
                    .requiredString("kind")
                    .requiredString("source")
                    .requiredLong("epoch")
                    .requiredString("group_id")
                    .requiredLong("group_index")
                    .requiredLong("step")
                    .requiredString("cause")),
    /** Balances of all training groups, one for each version that was published. */
    ACCOUNTS(
            common("accounts")
                    .requiredLong("epoch")
                    .requiredLong("step")
                    .requiredLong("offered")
                    .requiredLong("trained")
                    .name("dropped")
                    .type(SchemaBuilder.map().values().longType())
                    .noDefault()
                    .requiredLong("open")
                    .name("violations")
                    .type(SchemaBuilder.array().items().stringType())
                    .noDefault()),
    /** Records that left the stream. */
    REJECTS(
            common("rejects")
                    .requiredString("stage")
                    .requiredString("reason")
                    .requiredString("key")
                    .requiredString("detail"));

    // Never changed after it is built.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Schema schema;

    LedgerTable(FieldAssembler<Schema> fields) {
        this.schema = fields.endRecord();
    }

    /** Its columns. */
    public Schema schema() {
        return schema;
    }

    /** Name of its folder below the ledger's. */
    public String folder() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Columns of all tables: the run, where the record lay in its topic, and since when. */
    private static FieldAssembler<Schema> common(String name) {
        return SchemaBuilder.record(name)
                .namespace("dev.millrace.ledger")
                .fields()
                .requiredString("run_id")
                .requiredInt("topic_partition")
                .requiredLong("topic_offset")
                .optionalLong("topic_millis");
    }
}
