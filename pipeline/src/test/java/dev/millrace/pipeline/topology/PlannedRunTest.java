package dev.millrace.pipeline.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.pipeline.settings.RecipeReader;
import dev.millrace.pipeline.settings.SettingsException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlannedRunTest {
    private static List<PlannedRun> runs(String... overrides) throws Exception {
        var recipe =
                RecipeReader.read(List.of(Path.of("../recipes/demo.yaml")), List.of(overrides));
        return PlannedRun.of("demo-1", recipe.run());
    }

    @Test
    void oneRunHasTheNameAndTheSeedOfItsJob() throws Exception {
        assertThat(runs("run.seed=7")).containsExactly(new PlannedRun("demo-1", 7, 1));
    }

    @Test
    void severalHaveNamesSeedsAndWeightsOfTheirOwn() throws Exception {
        List<PlannedRun> runs = runs("run.seed=7", "run.clients=3", "run.clientWeights=3,1,1");
        assertThat(runs)
                .extracting(PlannedRun::runId)
                .containsExactly("demo-1-c1", "demo-1-c2", "demo-1-c3");
        assertThat(runs).extracting(PlannedRun::weight).containsExactly(3.0, 1.0, 1.0);
        assertThat(runs.get(0).seed()).isEqualTo(7);
        assertThat(runs)
                .extracting(PlannedRun::seed)
                .doesNotHaveDuplicates()
                .allSatisfy(seed -> assertThat(seed).isNotNegative())
                .isEqualTo(
                        runs("run.seed=7", "run.clients=3").stream()
                                .map(PlannedRun::seed)
                                .toList());
    }

    @Test
    void everyClientNeedsAWeight() {
        assertThatThrownBy(() -> runs("run.clients=3", "run.clientWeights=3,1"))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("run.clientWeights: has 2 weights, but run.clients is 3");
    }
}
