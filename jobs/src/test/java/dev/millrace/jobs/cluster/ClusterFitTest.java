package dev.millrace.jobs.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.jobs.cluster.ClusterFacts.TaskManagerFacts;
import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.pipeline.settings.RecipeReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterFitTest {
    private static final TaskManagerFacts PLAIN =
            new TaskManagerFacts("plain", 4, 4, 1024, 512, Map.of("rollout", 4.0));
    private static final TaskManagerFacts GPU =
            new TaskManagerFacts("gpu", 1, 1, 512, 256, Map.of("gpu-b300", 1.0));

    @Test
    void takesAClusterThatHasWhatIsNeeded() throws Exception {
        assertThat(refusals("train.placement=none", PLAIN)).isEmpty();
        assertThat(refusals("train.placement=gpu(B300)", PLAIN, GPU)).isEmpty();
    }

    @Test
    void takesAClusterThatStartsTaskManagersWhenTheyAreNeeded() throws Exception {
        assertThat(refusals("train.placement=gpu(B300)")).isEmpty();
    }

    @Test
    void refusesAnotherFlinkAndAnotherScheduler() throws Exception {
        ClusterFacts facts = new ClusterFacts("2.2.1", "adaptive", List.of(PLAIN));
        assertThat(ClusterFit.refusals(recipe("train.placement=none"), facts))
                .containsExactly(
                        "the cluster runs Flink 2.2.1, the job needs 2.3.x",
                        "jobmanager.scheduler is adaptive, must be default: no other one keeps"
                                + " regions and placement");
    }

    @Test
    void saysHowManySlotsAreMissing() throws Exception {
        assertThat(refusals("train.placement=none", GPU))
                .singleElement()
                .asString()
                .startsWith("the run needs 3 slots")
                .contains("the cluster has 1");
    }

    @Test
    void saysWhichGpuItWantsAndWhatItFound() throws Exception {
        assertThat(refusals("train.placement=gpu(H200)", PLAIN, GPU))
                .singleElement()
                .asString()
                .startsWith("train.placement is gpu(H200), but no task manager offers gpu-h200")
                .contains("plain has 4.0 cores, 1024 MiB, 512 MiB and {rollout=4.0}")
                .contains("{gpu-b300=1.0}");
    }

    @Test
    void countsOnlySlotsThatFitIntoATaskManager() throws Exception {
        TaskManagerFacts small =
                new TaskManagerFacts("small", 4, 4, 300, 512, Map.of("rollout", 4.0));
        TaskManagerFacts unmarked = new TaskManagerFacts("unmarked", 4, 4, 9000, 9000, Map.of());
        assertThat(refusals("train.placement=gpu(B300)", small, unmarked, GPU))
                .singleElement()
                .asString()
                .startsWith("flink.parallelism is 2, but the task managers offer 1 slots");
    }

    private static List<String> refusals(String override, TaskManagerFacts... taskManagers)
            throws Exception {
        return ClusterFit.refusals(
                recipe(override), new ClusterFacts("2.3.0", "default", List.of(taskManagers)));
    }

    private static Recipe recipe(String override) throws Exception {
        return RecipeReader.read(
                List.of(Path.of("../recipes/demo.yaml")), List.of(override, "flink.parallelism=2"));
    }
}
