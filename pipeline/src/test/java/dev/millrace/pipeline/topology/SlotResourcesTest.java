package dev.millrace.pipeline.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.runtime.clusterframework.types.ResourceProfile;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.junit.jupiter.api.Test;

/** Which slots a run asks for. */
class SlotResourcesTest {

    @Test
    void aRunThatMayBeAnywhereAsksForNothing() throws Exception {
        assertThat(RegionsTest.graph("flink.parallelism=2").getVertices())
                .allSatisfy(v -> assertThat(profile(v)).isEqualTo(ResourceProfile.UNKNOWN));
    }

    @Test
    void aPinnedRunSaysOfEverySlotWhatItNeeds() throws Exception {
        JobGraph graph =
                RegionsTest.graph(
                        "train.placement=gpu(B300)", "flink.slotHeapMb=99", "flink.slotCpus=0.5");
        assertThat(graph.getVertices())
                .allSatisfy(
                        vertex -> {
                            ResourceProfile profile = profile(vertex);
                            assertThat(profile.getTaskHeapMemory().getMebiBytes()).isEqualTo(99);
                            assertThat(profile.getCpuCores().getValue().doubleValue())
                                    .isEqualTo(0.5);
                            assertThat(profile.getExtendedResources()).hasSize(1);
                        });
        assertThat(graph.getVertices())
                .allMatch(v -> asksFor(v, "gpu-b300") || asksFor(v, SlotResources.ROLLOUT));
    }

    @Test
    void onlyTheLearnRegionIsInTheSlotOfTheTrainer() throws Exception {
        List<String> pinned = new ArrayList<>();
        for (JobVertex vertex : RegionsTest.graph("train.placement=gpu(B300)").getVertices()) {
            if (asksFor(vertex, "gpu-b300")) {
                pinned.add(vertex.getName());
            }
        }
        assertThat(pinned).hasSize(2);
        assertThat(pinned)
                .filteredOn(name -> name.startsWith("Source: Read groups (learn)"))
                .singleElement()
                .asString()
                .contains(
                        "Assemble minibatches",
                        "Check for gpu-b300",
                        "Train",
                        "Write topic policies");
        assertThat(pinned).filteredOn(name -> name.startsWith("Write topic rejects")).hasSize(1);
    }

    private static boolean asksFor(JobVertex vertex, String resource) {
        return profile(vertex).getExtendedResources().containsKey(resource);
    }

    private static ResourceProfile profile(JobVertex vertex) {
        return vertex.getSlotSharingGroup().getResourceProfile();
    }
}
