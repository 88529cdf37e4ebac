package dev.millrace.jobs.export;

import dev.millrace.backends.embedded.TurnRenderer;
import dev.millrace.backends.store.FileTrajectoryStore;
import dev.millrace.backends.store.TrajectoryCodec;
import dev.millrace.jobs.launch.RunIdentity;
import dev.millrace.jobs.view.WarmUpReport;
import dev.millrace.pipeline.ledger.LedgerTable;
import dev.millrace.udfs.model.ContentRef;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.Trajectory;
import dev.millrace.udfs.model.Turn;
import dev.millrace.udfs.model.TurnAction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.parquet.avro.AvroParquetWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.io.LocalOutputFile;

/** Writes the folder of a run: recipe, identity, ledger and trajectories. */
final class RunFiles {
    static final String RUN = "mine-1";
    static final long BEGIN = 1_700_000_000_000L;

    private static final PolicyVersion VERSION = new PolicyVersion(1, 3);

    private final Path folder;
    private final List<GenericRecord> groups = new ArrayList<>();
    private final List<GenericRecord> attempts = new ArrayList<>();
    private final List<GenericRecord> turns = new ArrayList<>();

    RunFiles(Path folder) throws IOException {
        this.folder = folder;
        Files.writeString(
                folder.resolve("config.yaml"),
                """
                run: {name: mine}
                tasks: {source: generated}
                train: {steps: 1}
                """);
        new RunIdentity(RUN, "s", "p", new WarmUpReport(0, 0, 0, 0, 0, 0))
                .write(folder.resolve("run.json"));
    }

    /** What the ledger says of an attempt besides its names. */
    record Attempt(
            String outcome,
            boolean valid,
            double reward,
            String failureClass,
            String failureCause,
            List<String> flags,
            ContentRef trajectory) {
        static Attempt submitted(double reward, ContentRef trajectory, String... flags) {
            return new Attempt("SUBMITTED", true, reward, null, null, List.of(flags), trajectory);
        }

        static Attempt failed(String whose, String cause, ContentRef trajectory) {
            return new Attempt("LOST", false, 0, whose, cause, List.of(), trajectory);
        }
    }

    /** A group with its attempts. */
    void group(String id, String taskId, Attempt... played) {
        String group = RUN + "/" + id;
        groups.add(
                begin(LedgerTable.GROUPS)
                        .set("lane", "TRAIN")
                        .set("group_id", group)
                        .set("group_index", 0L)
                        .set("admission_id", "adm")
                        .set("task_id", taskId)
                        .set("task_uri", "file:///tasks/train/one")
                        .set("split", "TRAIN")
                        .set("family", "")
                        .set("policy_epoch", VERSION.epoch())
                        .set("policy_step", VERSION.step())
                        .set("eval_round", "")
                        .set("greedy", false)
                        .set("verdict", "MIXED")
                        .set("cause", "")
                        .set("reward_mean", 0.5)
                        .set("attempts", played.length)
                        .set("valid_attempts", 1)
                        .set("rewards", List.of(0.5))
                        .build());
        for (int i = 0; i < played.length; i++) {
            attempts.add(attempt(group, i, played[i]));
        }
    }

    private static GenericRecord attempt(String group, int index, Attempt played) {
        ContentRef ref = played.trajectory();
        return begin(LedgerTable.ATTEMPTS)
                .set("group_id", group)
                .set("attempt_id", group + "/a" + index)
                .set("attempt_index", index)
                .set("admission_id", "adm")
                .set("outcome", played.outcome())
                .set("valid", played.valid())
                .set("reward", played.reward())
                .set("failure_class", played.failureClass())
                .set("failure_cause", played.failureCause())
                .set("failure_message", played.failureCause() == null ? null : "why")
                .set("flags", played.flags())
                .set("trajectory_uri", ref == null ? null : ref.uri())
                .set("trajectory_bytes", ref == null ? 0L : ref.bytes())
                .set("trajectory_sha256", ref == null ? null : ref.sha256())
                .set("turns", 2)
                .set("generated_tokens", 7)
                .set("total_tokens", 20)
                .set("oldest_epoch", 1L)
                .set("oldest_step", 3L)
                .set("running_millis", 900L)
                .set("grading_millis", 400L)
                .set("tries", 2)
                .build();
    }

    /** A line of the journal, written some milliseconds after the begin. */
    void line(String attempt, String stage, String effect, String kind, long at, long wall) {
        turns.add(
                begin(LedgerTable.TURNS)
                        .set("stage", stage)
                        .set("attempt_id", RUN + "/" + attempt)
                        .set("admission_id", "adm")
                        .set("effect_id", effect)
                        .set("kind", kind)
                        .set("wall_millis", wall)
                        .set("topic_offset", at)
                        .set("topic_millis", BEGIN + at)
                        .build());
    }

    /** Stores an attempt that runs a command, sees its output and ends. */
    ContentRef trajectory(String attempt, String command, String output) throws IOException {
        TurnRenderer renderer = new TurnRenderer();
        int[] prompt = renderer.start("Repair it.");
        int[] said = TurnRenderer.turn(command);
        int[] seen = renderer.observe(said, true, output, 1);
        int[] end = TurnRenderer.turn("exit");
        int[] tokens = Stream.of(prompt, said, seen, end).flatMapToInt(Arrays::stream).toArray();
        int second = tokens.length - end.length;
        byte[] mask = new byte[tokens.length];
        Arrays.fill(mask, prompt.length, prompt.length + said.length, (byte) 1);
        Arrays.fill(mask, second, tokens.length, (byte) 1);
        float[] logprobs = new float[tokens.length];
        logprobs[second] = -0.25f;
        Trajectory trajectory =
                new Trajectory(
                        RUN + "/" + attempt,
                        "adm",
                        tokens,
                        mask,
                        logprobs,
                        List.of(
                                new Turn(
                                        prompt.length,
                                        said.length,
                                        VERSION,
                                        TurnAction.COMMAND,
                                        command,
                                        0,
                                        false),
                                new Turn(
                                        second,
                                        end.length,
                                        VERSION,
                                        TurnAction.FINAL,
                                        "",
                                        -1,
                                        false)));
        return new FileTrajectoryStore(folder.resolve("trajectories"))
                .put(
                        RUN + "/" + attempt,
                        TrajectoryCodec.SUFFIX,
                        TrajectoryCodec.encode(trajectory));
    }

    /** Writes the tables. */
    void close() throws IOException {
        write(LedgerTable.GROUPS, groups);
        write(LedgerTable.ATTEMPTS, attempts);
        write(LedgerTable.TURNS, turns);
    }

    private void write(LedgerTable table, List<GenericRecord> rows) throws IOException {
        Path file =
                Files.createDirectories(folder.resolve("ledger/" + table.folder()))
                        .resolve("a.parquet");
        try (ParquetWriter<GenericRecord> writer =
                AvroParquetWriter.<GenericRecord>builder(new LocalOutputFile(file))
                        .withSchema(table.schema())
                        .withDataModel(GenericData.get())
                        .build()) {
            for (GenericRecord row : rows) {
                writer.write(row);
            }
        }
    }

    private static GenericRecordBuilder begin(LedgerTable table) {
        return new GenericRecordBuilder(table.schema())
                .set("run_id", RUN)
                .set("topic_partition", 0)
                .set("topic_offset", 0L);
    }
}
