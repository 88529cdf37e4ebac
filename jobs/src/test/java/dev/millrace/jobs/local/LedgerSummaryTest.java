package dev.millrace.jobs.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.jobs.launch.RunIdentity;
import dev.millrace.jobs.view.RunSummary;
import dev.millrace.jobs.view.WarmUpReport;
import dev.millrace.pipeline.ledger.LedgerTable;
import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.pipeline.settings.RecipeReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.parquet.avro.AvroParquetWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.io.LocalOutputFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerSummaryTest {
    private static final String RUN = "mine-1";
    @TempDir private Path folder;

    @Test
    void sumsUpAKilledRunFromItsLedger() throws Exception {
        Path config =
                Files.writeString(
                        folder.resolve("config.yaml"),
                        """
                        run: {name: mine, seed: 4}
                        tasks: {source: generated}
                        train: {steps: 1}
                        """);
        Recipe recipe = RecipeReader.read(List.of(config), List.of());
        new RunIdentity(RUN, "s", "p", new WarmUpReport(52, 400, 0.55, 0.45, 0.46, 7))
                .write(folder.resolve("run.json"));
        write(
                LedgerTable.STEPS,
                step("ANNOUNCE", 0),
                step("PUBLICATION", 0),
                step("PUBLICATION", 1));
        write(LedgerTable.TURNS, admitted("/g0"), admitted("/g1"));
        write(
                LedgerTable.GROUPS,
                group("TRAIN", "/g0", "", 1, "MIXED", ""),
                group("EVAL", "/e0/1", "e0", 0, "CONSTANT", ""),
                group("EVAL", "/e1/1", "e1", 1, "CONSTANT", ""));
        write(
                LedgerTable.ATTEMPTS,
                attempt("/e0/1", 0, 0.0),
                attempt("/e0/1", 1, 1.0),
                attempt("/e1/1", 0, 1.0));
        write(LedgerTable.PROGRESS, taken("/g0"));

        RunSummary summary = new LedgerSummary(folder, recipe).read().get(0);
        assertThat(summary.state()).as("a group is open").isEqualTo("interrupted");
        assertThat(summary.steps()).isEqualTo(1);
        assertThat(summary.seed()).isEqualTo(4);
        assertThat(summary.offered()).isEqualTo(2);
        assertThat(summary.trained()).isEqualTo(1);
        assertThat(summary.open()).isEqualTo(1);
        assertThat(summary.heldOutReward()).isEqualTo(new RunSummary.Reward(0.5, 1.0));
        assertThat(summary.warmUp().steps()).isEqualTo(52);
        assertThat(summary.recipeDigest()).isEqualTo(recipe.digest());
    }

    private void write(LedgerTable table, GenericRecord... rows) throws IOException {
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

    private static GenericRecord step(String kind, long step) {
        return begin(LedgerTable.STEPS)
                .set("kind", kind)
                .set("epoch", 1L)
                .set("step", step)
                .set("parent_epoch", 0L)
                .set("nonce", "n")
                .set("uri", "")
                .set("last", step == 1)
                .set("metrics", Map.of())
                .build();
    }

    private static GenericRecord admitted(String group) {
        return begin(LedgerTable.TURNS)
                .set("stage", "rollout")
                .set("attempt_id", RUN + group + "/a0")
                .set("admission_id", "adm")
                .set("effect_id", "admit")
                .set("kind", "ADMITTED")
                .set("wall_millis", 0L)
                .set("lane", "TRAIN")
                .set("group_id", RUN + group)
                .build();
    }

    private static GenericRecord group(
            String lane, String id, String round, long step, String verdict, String cause) {
        return begin(LedgerTable.GROUPS)
                .set("lane", lane)
                .set("group_id", RUN + id)
                .set("group_index", 0L)
                .set("admission_id", "adm")
                .set("task_id", "t")
                .set("task_uri", "file:/t")
                .set("split", "TEST")
                .set("family", "")
                .set("policy_epoch", 1L)
                .set("policy_step", step)
                .set("eval_round", round)
                .set("greedy", false)
                .set("verdict", verdict)
                .set("cause", cause)
                .set("reward_mean", 0.5)
                .set("attempts", 1)
                .set("valid_attempts", 1)
                .set("rewards", List.of(0.5))
                .build();
    }

    private static GenericRecord attempt(String group, int index, double reward) {
        return begin(LedgerTable.ATTEMPTS)
                .set("group_id", RUN + group)
                .set("attempt_id", RUN + group + "/a" + index)
                .set("attempt_index", index)
                .set("admission_id", "adm")
                .set("outcome", "SUBMITTED")
                .set("valid", true)
                .set("reward", reward)
                .set("flags", List.of())
                .set("trajectory_bytes", 0L)
                .set("turns", 1)
                .set("generated_tokens", 1)
                .set("total_tokens", 1)
                .set("oldest_epoch", 1L)
                .set("oldest_step", 0L)
                .set("running_millis", 1L)
                .set("grading_millis", 1L)
                .set("tries", 1)
                .build();
    }

    private static GenericRecord taken(String group) {
        return begin(LedgerTable.PROGRESS)
                .set("kind", "TAKEN")
                .set("source", "learn")
                .set("epoch", 1L)
                .set("group_id", RUN + group)
                .set("group_index", 0L)
                .set("step", 0L)
                .set("cause", "")
                .build();
    }

    private static GenericRecordBuilder begin(LedgerTable table) {
        return new GenericRecordBuilder(table.schema())
                .set("run_id", RUN)
                .set("topic_partition", 0)
                .set("topic_offset", 0L);
    }
}
