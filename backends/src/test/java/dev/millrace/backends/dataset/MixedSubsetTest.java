package dev.millrace.backends.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MixedSubsetTest {
    private static final int SAMPLES = 4;

    @TempDir Path root;
    private Path dump;

    @BeforeEach
    void write() throws Exception {
        source("a", "b", "c", "d");
        dump = dump("train-4", SAMPLES, "a 1", "b 4", "c 2", "d 0");
    }

    private static String row(String id) {
        return "{\"label\":\"" + id + "\", \"metadata\":{\"instance_id\":\"" + id + "\"}}";
    }

    private void source(String... ids) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String id : ids) {
            lines.add(row(id));
        }
        Files.write(root.resolve("train-4.jsonl"), lines);
    }

    /** A dump of tasks, each with how often it was solved. */
    private Path dump(String dataset, int samples, String... tasks) throws Exception {
        Path file = root.resolve("eval_0.jsonl");
        ProbeDump.About about = new ProbeDump.About(dataset, "base", samples);
        try (ProbeDump dump = new ProbeDump(file, about)) {
            for (String task : tasks) {
                String[] words = task.split(" ", -1);
                for (int i = 0; i < samples; i++) {
                    dump.attempt(words[0], i < Integer.parseInt(words[1]) ? 1 : 0, true);
                }
            }
            dump.complete();
        }
        return file;
    }

    private MixedSubset.Made make(String name, String recipe, boolean replace) throws Exception {
        return new MixedSubset(root, name, recipe, SAMPLES, dump, "base", replace).make();
    }

    private AbstractThrowableAssert<?, ?> refused(String name, String recipe) {
        return assertThatThrownBy(() -> make(name, recipe, false))
                .isInstanceOf(DatasetException.class);
    }

    @Test
    void keepsMixedTasksClosestToHalfFirst() throws Exception {
        MixedSubset.Made made = make("train-4", "My recipe!", false);
        assertThat(made.name()).isEqualTo("train-4-mixed-reward-my-recipe-n4");
        assertThat(made.file()).hasContent(row("c") + "\n" + row("a"));
        JsonNode about = RowLine.JSON.readTree(root.resolve(made.name() + ".json").toFile());
        assertThat(about.get("criterion").asText())
                .isEqualTo("fully_gradeable_and_0_lt_solved_lt_n_samples");
        assertThat(about.get("selected_instance_ids")).hasSize(2);
        assertThat(about.get("sha256").asText()).isEqualTo(SubsetFile.read(made.file()).sha256());
        assertThat(about.get("source_sha256").asText())
                .isEqualTo(SubsetFile.read(root.resolve("train-4.jsonl")).sha256());
        List<String> keys = new ArrayList<>();
        about.fieldNames().forEachRemaining(keys::add);
        assertThat(keys)
                .isSorted()
                .containsExactly(
                        "checkpoint",
                        "criterion",
                        "n_samples",
                        "probe_dump",
                        "recipe",
                        "selected_instance_ids",
                        "sha256",
                        "source",
                        "source_sha256",
                        "subset");
        assertThat(root.resolve(made.name() + ".json"))
                .content()
                .startsWith("{\n  \"checkpoint\": \"base\",\n")
                .contains("\"selected_instance_ids\": [\n    \"c\",\n    \"a\"\n  ],\n");
    }

    @Test
    void attemptsWithoutVerdictSpoilATask() throws Exception {
        Path file = root.resolve("eval_0.jsonl");
        List<String> lines = new ArrayList<>(Files.readAllLines(file));
        lines.set(1, lines.get(1).replace("\"remove_sample\":false", "\"remove_sample\":true"));
        Files.write(file, lines);
        assertThat(make("train-4", "r", false).file()).hasContent(row("c"));
    }

    @Test
    void replacesOnlyWhenAskedTo() throws Exception {
        make("train-4", "r", false);
        refused("train-4", "r").hasMessageContaining("exists; --replace replaces it");
        assertThat(make("train-4", "r", true).tasks()).isEqualTo(2);
    }

    @Test
    void refusesSourcesThatAreNoTrainingSubset() {
        refused("eval", "r").hasMessageContaining("--source 'eval' is no training subset");
        refused("train-100", "r").hasMessageContaining("train-100.jsonl does not exist");
    }

    @Test
    void refusesRecipesWithoutAName() {
        refused("train-4", "--").hasMessageContaining("has no letter or digit");
    }

    @Test
    void refusesBlankAndDoubleIds() throws Exception {
        source("a", " ");
        refused("train-4", "r").hasMessage("train-4.jsonl:2: instance_id is blank");
        source("a", "b", "a");
        refused("train-4", "r")
                .hasMessage("train-4.jsonl:3: instance_id 'a' is that of line 1 too");
    }

    @Test
    void refusesDamagedSources() throws Exception {
        Files.writeString(root.resolve("train-4.jsonl"), "{\n");
        refused("train-4", "r").hasMessageContaining("train-4.jsonl:1: no JSON");
    }

    @Test
    void refusesADumpThatIsNotThere() throws Exception {
        Files.delete(dump);
        refused("train-4", "r").hasMessageContaining("does not exist; make one with probe");
    }

    @Test
    void refusesIncompleteDumps() throws Exception {
        List<String> lines = Files.readAllLines(dump);
        Files.write(dump, lines.subList(0, lines.size() - 1));
        refused("train-4", "r")
                .hasMessageContaining("not a fixed-sample evaluation dump: d has 3 attempts");
        Files.writeString(dump, "");
        refused("train-4", "r").hasMessageContaining("is empty");
    }

    @Test
    void refusesDamagedDumps() throws Exception {
        List<String> lines = new ArrayList<>(Files.readAllLines(dump));
        lines.set(2, "{\"index\": ");
        Files.write(dump, lines);
        refused("train-4", "r").hasMessageContaining("eval_0.jsonl:3 is damaged");
        lines.set(2, "{\"index\": 0, \"label\": \"\"}");
        Files.write(dump, lines);
        refused("train-4", "r").hasMessageContaining("eval_0.jsonl:3 is an attempt without a task");
        Files.write(dump, new byte[] {(byte) 0xff, (byte) 0xfe, 0, '\n'});
        refused("train-4", "r").hasMessageContaining("eval_0.jsonl:1 is damaged");
    }

    @Test
    void aProbeThatDidNotEndLeavesNoDump() throws Exception {
        Path file = root.resolve("other.jsonl");
        try (ProbeDump unfinished = new ProbeDump(file, new ProbeDump.About("train-4", "b", 4))) {
            unfinished.attempt("a", 1, true);
        }
        assertThat(file).doesNotExist();
    }

    @Test
    void refusesWhatIsNoEvaluation() throws Exception {
        Files.writeString(dump, Files.readString(dump).replaceFirst("true", "false"));
        refused("train-4", "r").hasMessageContaining("is no dump of an evaluation");
    }

    @Test
    void refusesDumpsOfOtherSubsetsOrSamples() throws Exception {
        dump("train-300", SAMPLES, "a 1", "b 4", "c 2", "d 0");
        refused("train-4", "r").hasMessageContaining("is of 'train-300', not of 'train-4'");
        dump("train-4", 2, "a 1", "b 1", "c 2", "d 0");
        refused("train-4", "r").hasMessageContaining("has 2 attempts at each task, not 4");
    }

    @Test
    void refusesDumpsOfOtherTasks() throws Exception {
        dump("train-4", SAMPLES, "a 1", "b 4", "x 2");
        refused("train-4", "r")
                .hasMessageEndingWith(
                        "is not of the tasks of train-4: 2 missing (c, d), 1 others (x)");
    }

    @Test
    void refusesToSelectNothing() throws Exception {
        dump("train-4", SAMPLES, "a 0", "b 4", "c 0", "d 0");
        refused("train-4", "r").hasMessageContaining("there is nothing to select");
    }
}
