package dev.millrace.pipeline.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.udfs.model.Split;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecipeReaderTest {
    private static final String SMALLEST =
            """
            run:
              name: small
            tasks:
              source: generated
            train:
              steps: 3
            """;

    @Test
    void readsValuesOfEveryType() throws SettingsException {
        Recipe recipe =
                RecipeReader.parse(
                        "r.yaml",
                        SMALLEST
                                + """
                                rollout: {execTimeout: 1500ms, temperature: 7e-1}
                                eval: {greedy: false}
                                flink: {checkpointInterval: 10m}
                                """,
                        List.of("tasks.evalSplit=validation"));
        assertThat(recipe.rollout().execTimeout()).isEqualTo(Duration.ofMillis(1500));
        assertThat(recipe.rollout().temperature()).isEqualTo(0.7);
        assertThat(recipe.eval().greedy()).isFalse();
        assertThat(recipe.flink().checkpointInterval()).isEqualTo(Duration.ofMinutes(10));
        assertThat(recipe.tasks().evalSplit()).isEqualTo(Split.VALIDATION);
        assertThat(recipe.train().steps()).isEqualTo(3);
    }

    @Test
    void lockstepRefusesByNameWhatWouldMakeTheWeightsDependOnTime() throws SettingsException {
        List<String> lockstep =
                List.of(
                        "run.determinism=lockstep",
                        "train.maxLag=1",
                        "tasks.curriculum=true",
                        "controls.foreignObservations=true");
        assertThatThrownBy(() -> RecipeReader.parse("r.yaml", SMALLEST, lockstep))
                .hasMessageContaining("train.maxLag: must be 0: run.determinism is lockstep")
                .hasMessageContaining("tasks.curriculum: must be false")
                .hasMessageContaining("controls.foreignObservations: must be false");
        Recipe fine =
                RecipeReader.parse(
                        "r.yaml", SMALLEST, List.of("run.determinism=lockstep", "train.maxLag=0"));
        assertThat(fine.run().lockstep()).isTrue();
        assertThat(fine.rollout().budget().withoutChance().maxTries()).isEqualTo(Integer.MAX_VALUE);
        assertThat(RecipeReader.parse("r.yaml", SMALLEST, List.of()).run().lockstep()).isFalse();
    }

    @Test
    void aTopicOfTasksRefusesByNameWhatItCanNotGive() throws SettingsException {
        List<String> fine = List.of("tasks.topic=rows", "tasks.root=/d", "kafka.bootstrap=a:9092");
        TaskSettings tasks = RecipeReader.parse("r.yaml", SMALLEST, fine).tasks();
        assertThat(tasks.fromTopic()).isTrue();
        assertThat(tasks.root()).isEqualTo("/d");
        assertThat(problems(SMALLEST, "tasks.topic=rows"))
                .anyMatch(problem -> problem.contains("tasks.root: is missing"))
                .anyMatch(problem -> problem.contains("kafka.bootstrap: is embedded"));
        assertThat(problems(SMALLEST, "tasks.root=/d"))
                .anyMatch(problem -> problem.contains("tasks.root: is only used with tasks.topic"));
        assertThat(
                        problems(
                                SMALLEST,
                                "kafka.bootstrap=a:9092",
                                "tasks.topic=small.tasks",
                                "tasks.root=below",
                                "tasks.curriculum=true",
                                "tasks.subset=ids.jsonl"))
                .anyMatch(
                        problem -> problem.contains("tasks.topic: must not be a topic of the run"))
                .anyMatch(problem -> problem.contains("tasks.root: must be an absolute path"))
                .anyMatch(problem -> problem.contains("tasks.curriculum: must be false: rows"))
                .anyMatch(problem -> problem.contains("tasks.subset: chooses among tasks"));
    }

    @Test
    void aTopicOfTasksIsRefusedForSeveralRuns() throws SettingsException {
        List<String> rows = List.of("tasks.topic=rows", "tasks.root=/d", "kafka.bootstrap=a:9092");
        List<String> several = new ArrayList<>(rows);
        several.add("run.clients=2");
        assertThat(problems(SMALLEST, several.toArray(String[]::new)))
                .singleElement()
                .asString()
                .contains("tasks.topic: is read by one run")
                .contains("run.clients is 2");
        several.set(3, "run.clients=1");
        assertThat(RecipeReader.parse("r.yaml", SMALLEST, several).run().clients()).isEqualTo(1);
    }

    @Test
    void reportsAllProblemsTogetherInTheOrderOfTheText() {
        String text =
                """
                run:
                  name: Not Good
                  seeed: 4
                tasks:
                  source: somewhere
                train:
                  grupSize: 8
                  learningRate: fast
                  maxLag: -1
                  maxLag: 2
                sandbox: 7
                limits:
                  maxMinutes:
                """;
        assertThat(problems(text, "train.passes=0", "nonsense", "grading.slot=3"))
                .containsExactly(
                        "r.yaml: train.steps: is missing: training steps of the whole run",
                        "r.yaml:2: run.name: is \"Not Good\", must be 1 to 40 lower-case letters,"
                                + " digits and hyphens, not starting with a hyphen",
                        "r.yaml:3: run.seeed: no such setting; did you mean run.seed?",
                        "r.yaml:5: tasks.source: is \"somewhere\", must be one of generated,"
                                + " folder, dataset",
                        "r.yaml:7: train.grupSize: no such setting; did you mean"
                                + " rollout.groupSize?",
                        "r.yaml:8: train.learningRate: is \"fast\", must be a number",
                        "r.yaml:9: train.maxLag: is -1, must be from 0 to 1000",
                        "r.yaml:10: train.maxLag: is given twice",
                        "r.yaml:11: sandbox: is a section, it must hold keys",
                        "r.yaml:13: limits.maxMinutes: has no value; give one or leave the line"
                                + " out",
                        "--set: train.passes: is 0, must be from 1 to 100",
                        "--set: nonsense: must have the form section.key=value",
                        "--set: grading.slot: no such setting; did you mean" + " grading.slots?");
    }

    @Test
    void saysWhereYamlIsBroken() {
        assertThat(problems("run:\n  name: [a\n"))
                .singleElement()
                .asString()
                .startsWith("r.yaml:3: ");
        assertThat(problems("- a\n")).containsExactly("r.yaml:1: must be a mapping of sections");
    }

    @Test
    void refusesSettingsThatDontGoTogether() {
        String[] wrong = {
            "train.groupsPerBatch=7",
            "eval.slots=25",
            "train.clipLow=1",
            "train.clipHigh=1.0",
            "rollout.contextTokens=24",
            "grading.minValidAttempts=9",
            "rollout.execTimeout=31s",
            "rollout.groupDeadline=29s",
            "tasks.path=here",
            "tasks.test=0",
            "policy.model.heads=3"
        };
        assertThat(problems(SMALLEST, wrong))
                .hasSize(wrong.length)
                .contains(
                        "--set: train.groupsPerBatch: must be a multiple of"
                                + " train.groupsPerMinibatch, which is 6");
        assertThat(problems(SMALLEST, "tasks.evalSplit=train")).hasSize(1);
        assertThat(problems(SMALLEST, "tasks.source=folder"))
                .containsExactly("--set: tasks.path: is missing: tasks.source is" + " folder");
    }

    @Test
    void aKeyThatIsWrongAloneIsNotReportedAsAConflictToo() {
        assertThat(problems(SMALLEST, "rollout.groupSize=many", "grading.minValidAttempts=9"))
                .containsExactly(
                        "--set: rollout.groupSize: is \"many\", must be a" + " whole number");
    }

    @Test
    void laterFilesReplaceValuesOfEarlierOnes(@TempDir Path folder) throws Exception {
        Path base = Files.writeString(folder.resolve("base.yaml"), SMALLEST);
        Path over =
                Files.writeString(folder.resolve("over.yaml"), "train: {steps: 9, passes: 3}\n");
        Recipe recipe = RecipeReader.read(List.of(base, over), List.of("train.passes=4"));
        assertThat(recipe.train().steps()).isEqualTo(9);
        assertThat(recipe.train().passes()).isEqualTo(4);
        assertThat(recipe.run().name()).isEqualTo("small");
    }

    @Test
    void aMissingFileIsOneClearProblem(@TempDir Path folder) {
        Path none = folder.resolve("none.yaml");
        SettingsException refused =
                catchThrowableOfType(
                        SettingsException.class,
                        () -> RecipeReader.read(List.of(none), List.of("a=b")));
        assertThat(refused).hasMessage(none + ": no such file; give the recipe with --recipe FILE");
    }

    private static List<String> problems(String text, String... overrides) {
        SettingsException refused =
                catchThrowableOfType(
                        SettingsException.class,
                        () -> RecipeReader.parse("r.yaml", text, List.of(overrides)));
        assertThat(refused).as("settings are refused").isNotNull();
        return refused.problems().stream().map(Problem::toString).toList();
    }
}
