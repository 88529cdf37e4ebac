package dev.millrace.jobs.conf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.pipeline.settings.RecipeReader;
import dev.millrace.pipeline.topology.SlotResources;
import dev.millrace.pipeline.topology.TrainTopology;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessSpec;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessUtils;
import org.apache.flink.runtime.jobmanager.JobManagerProcessUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Flink makes of the configurations that we ship. */
class ConfigurationFilesTest {
    private static final Path CONF = Path.of("../flink-conf");
    private static final Path DEMO = Path.of("../recipes/demo.yaml");

    @ParameterizedTest
    @ValueSource(strings = {"local", "taskmanager", "taskmanager-gpu"})
    void aTaskManagerStartsWithIt(String folder) {
        assertThat(taskManager(folder).getManagedMemorySize().getMebiBytes())
                .isGreaterThanOrEqualTo(128);
    }

    @ParameterizedTest
    @ValueSource(strings = {"local", "jobmanager"})
    void aJobManagerStartsWithItAndKeepsTheDefaultScheduler(String folder) {
        Configuration c = configuration(folder);
        assertThat(JobManagerProcessUtils.processSpecFromConfig(c).getJvmHeapMemorySize())
                .isNotNull();
        assertThat(c.get(JobManagerOptions.SCHEDULER))
                .isEqualTo(JobManagerOptions.SchedulerType.Default);
    }

    @Test
    void theLocalOneHasSlotsForTheDemo() throws Exception {
        Recipe demo = RecipeReader.read(List.of(DEMO), List.of("flink.parallelism=2"));
        assertThat(configuration("local").get(TaskManagerOptions.NUM_TASK_SLOTS))
                .isGreaterThanOrEqualTo(TrainTopology.slots(demo.flink()));
    }

    @Test
    void theGpuIsOfferedUnderTheNameThatPlacementAsksFor() throws Exception {
        Recipe pinned = RecipeReader.read(List.of(DEMO), List.of("train.placement=gpu(B300)"));
        TaskExecutorProcessSpec gpu = taskManager("taskmanager-gpu");
        assertThat(gpu.getExtendedResources())
                .containsOnlyKeys(pinned.train().gpuResource().orElseThrow());
        assertThat(gpu.getTaskHeapSize().getMebiBytes())
                .isGreaterThanOrEqualTo(pinned.flink().slotHeapMb());
    }

    @Test
    void plainTaskManagersOfferTheMarkerOnceForEachSlot() throws Exception {
        Recipe demo = RecipeReader.read(List.of(DEMO), List.of());
        TaskExecutorProcessSpec plain = taskManager("taskmanager");
        assertThat(plain.getExtendedResources()).containsOnlyKeys(SlotResources.ROLLOUT);
        int slots = plain.getExtendedResources().get(SlotResources.ROLLOUT).getValue().intValue();
        assertThat(slots).isEqualTo(plain.getNumSlots());
        assertThat(plain.getTaskHeapSize().getMebiBytes())
                .isGreaterThanOrEqualTo(slots * demo.flink().slotHeapMb());
        assertThat(plain.getManagedMemorySize().getMebiBytes())
                .isGreaterThanOrEqualTo(slots * demo.flink().slotManagedMb());
    }

    private static TaskExecutorProcessSpec taskManager(String folder) {
        return TaskExecutorProcessUtils.processSpecFromConfig(configuration(folder));
    }

    private static Configuration configuration(String folder) {
        return GlobalConfiguration.loadConfiguration(CONF.resolve(folder).toString());
    }
}
