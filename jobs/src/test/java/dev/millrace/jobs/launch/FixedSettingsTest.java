package dev.millrace.jobs.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.jobs.view.WarmUpReport;
import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.pipeline.settings.RecipeReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FixedSettingsTest {
    private static final Path DEMO = Path.of("../recipes/demo.yaml");
    @TempDir private Path output;

    private static Recipe recipe(String... overrides) throws Exception {
        return RecipeReader.read(List.of(DEMO), List.of(overrides));
    }

    private void begin() throws Exception {
        new RunIdentity("demo-1", "", "", WarmUpReport.NONE)
                .keeping(FixedSettings.of(recipe()))
                .write(new RunFolder(output).identity());
    }

    private void resume(String... overrides) throws Exception {
        RunPreparation.of(
                recipe(overrides), new RunFolder(output), output + "/scratch", true, said -> {});
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run.name=other",
                "run.seed=2",
                "run.clients=2",
                "rollout.groupSize=16",
                "train.groupsPerBatch=24",
                "train.groupsPerMinibatch=3",
                "eval.attempts=7",
                "policy.model.width=32",
                "policy.model.layers=1",
                "policy.model.heads=2"
            })
    void whatItsIdsAndStepsDependOnIsRefusedByName(String override) throws Exception {
        begin();
        String key = override.substring(0, override.indexOf('='));
        assertThatThrownBy(() -> resume(override))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining(key + " was")
                .hasMessageContaining("another --output");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "policy.tinker.baseModel=other",
                "policy.tinker.rank=16",
                "policy.tinker.family=qwen3",
                "policy.tinker.thinking=false"
            })
    void whatASavedStateOnAServerDependsOnIsRefusedByName(String override) throws Exception {
        String[] begun = {
            "policy.backend=tinker",
            "policy.tinker.baseModel=model",
            "policy.tinker.tokenizer=t.json"
        };
        new RunIdentity("demo-1", "", "", WarmUpReport.NONE)
                .keeping(FixedSettings.of(recipe(begun)))
                .write(new RunFolder(output).identity());
        String key = override.substring(0, override.indexOf('='));
        assertThatThrownBy(() -> resume(begun[0], begun[1], begun[2], override))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining(key + " was");
    }

    @Test
    void whatAnotherBackendUsesMayChange() throws Exception {
        begin();
        assertThatCode(() -> resume("policy.tinker.rank=16")).doesNotThrowAnyException();
    }

    @Test
    void allThatDifferAreNamedTogether() throws Exception {
        begin();
        assertThatThrownBy(() -> resume("run.determinism=lockstep", "train.maxLag=0", "run.seed=5"))
                .hasMessageContaining("run.determinism was free and is now lockstep")
                .hasMessageContaining("run.seed was 1 and is now 5");
    }

    @Test
    void aRunThatSaysNothingOfItsClientsHasOne() throws Exception {
        Map<String, String> before = new HashMap<>(FixedSettings.of(recipe()));
        before.remove("run.clients");
        new RunIdentity("demo-1", "", "", WarmUpReport.NONE)
                .keeping(before)
                .write(new RunFolder(output).identity());
        assertThatCode(() -> resume()).doesNotThrowAnyException();
        assertThatThrownBy(() -> resume("run.clients=2"))
                .hasMessageContaining("run.clients was 1 and is now 2");
    }

    @Test
    void whatMayChangeIsNotRefused() throws Exception {
        begin();
        assertThatCode(() -> resume()).doesNotThrowAnyException();
        assertThatCode(() -> resume("train.steps=99", "rollout.slots=30", "train.maxLag=2"))
                .doesNotThrowAnyException();
    }

    @Test
    void aRunOfWhichTheyWereNotKeptGoesOn() throws Exception {
        Path identity = new RunFolder(output).identity();
        new RunIdentity("demo-1", "", "", WarmUpReport.NONE).write(identity);
        assertThat(RunIdentity.read(identity).fixed()).isNull();
        removeFixed(identity);
        assertThatCode(() -> resume("run.seed=2")).doesNotThrowAnyException();
    }

    private static void removeFixed(Path identity) throws IOException {
        String text = Files.readString(identity);
        Files.writeString(identity, text.replaceAll(",\\s*\"fixed\" : null", ""));
        assertThat(Files.readString(identity)).doesNotContain("fixed");
    }
}
