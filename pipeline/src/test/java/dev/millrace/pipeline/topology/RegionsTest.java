package dev.millrace.pipeline.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.operators.topic.TopicNames;
import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.pipeline.settings.RecipeReader;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.runtime.jobgraph.topology.DefaultLogicalPipelinedRegion;
import org.apache.flink.runtime.jobgraph.topology.DefaultLogicalTopology;
import org.apache.flink.runtime.jobmanager.scheduler.SlotSharingGroup;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Flink restarts together is what belongs together. */
class RegionsTest {
    private static final Path RECIPES = Path.of("../recipes");
    private static final Path DEMO = RECIPES.resolve("demo.yaml");

    /** Each recipe, and each with its smoke form on top. */
    static Stream<List<Path>> recipes() throws Exception {
        try (Stream<Path> files = Files.list(RECIPES)) {
            return files
                    .filter(f -> f.toString().endsWith(".yaml"))
                    .map(RegionsTest::layers)
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("recipes")
    void everyRecipeHasThreeRegions(List<Path> layers) throws Exception {
        assertRegions(graph(RecipeReader.read(layers, List.of())));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"train.klCoef=0.01", "flink.parallelism=3", "train.placement=gpu(B300)"})
    void soHasOneWithOtherSettings(String override) throws Exception {
        assertRegions(graph(RecipeReader.read(List.of(DEMO), List.of(override))));
    }

    @Test
    void aRunNeedsNoMoreSlotsThanItsParallelismHoweverManyPartitionsItsJournalHas()
            throws Exception {
        Recipe recipe = RecipeReader.read(List.of(DEMO), List.of("flink.parallelism=2"));
        Map<SlotSharingGroup, Integer> slots = new HashMap<>();
        for (JobVertex vertex : graph(recipe, 7).getVertices()) {
            slots.merge(vertex.getSlotSharingGroup(), vertex.getParallelism(), Math::max);
        }
        assertThat(slots.values().stream().mapToInt(Integer::intValue).sum())
                .isEqualTo(TrainTopology.slots(recipe.flink()));
    }

    @Test
    void everyOperatorHasAReadableName() throws Exception {
        JobGraph graph = graph(RecipeReader.read(List.of(DEMO), List.of()));
        assertThat(graph.getVertices())
                .allSatisfy(v -> assertThat(v.getName()).doesNotContain("dev.millrace", "Lambda"));
    }

    private static List<Path> layers(Path file) {
        String base = file.getFileName().toString().replace("-smoke.yaml", ".yaml");
        Path below = file.resolveSibling(base);
        return below.equals(file) ? List.of(file) : List.of(below, file);
    }

    private static void assertRegions(JobGraph graph) {
        List<String> regions = regions(graph);
        assertThat(regions).hasSize(3);
        assertThat(regions).filteredOn(r -> r.contains("Play attempts")).hasSize(1);
        assertThat(one(regions, "Play attempts"))
                .contains("Admit groups", "Grade attempts", "Close groups")
                .doesNotContain("Train", "Assemble minibatches", "ledger");
        assertThat(one(regions, "Assemble minibatches"))
                .contains("Train")
                .doesNotContain("Play attempts", "ledger");
        assertThat(one(regions, "Decode for the ledger"))
                .doesNotContain("Play attempts", "Assemble minibatches");
    }

    private static String one(List<String> regions, String operator) {
        return regions.stream().filter(r -> r.contains(operator)).findFirst().orElseThrow();
    }

    private static List<String> regions(JobGraph graph) {
        List<String> regions = new ArrayList<>();
        for (DefaultLogicalPipelinedRegion region :
                DefaultLogicalTopology.fromJobGraph(graph).getAllPipelinedRegions()) {
            TreeSet<String> names = new TreeSet<>();
            region.getVertices().forEach(v -> names.add(graph.findVertexByID(v.getId()).getName()));
            regions.add(String.join(" | ", names));
        }
        return regions;
    }

    static JobGraph graph(String... overrides) throws Exception {
        return graph(RecipeReader.read(List.of(DEMO), List.of(overrides)));
    }

    private static JobGraph graph(Recipe recipe) {
        return graph(recipe, recipe.flink().parallelism());
    }

    private static JobGraph graph(Recipe recipe, int turnsPartitions) {
        Configuration strict = new Configuration();
        strict.set(PipelineOptions.GENERIC_TYPES, false);
        strict.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(strict);
        env.setMaxParallelism(128);
        env.setParallelism(recipe.flink().parallelism());
        TrainTopology.build(
                env,
                new RunPlan(
                        "run-1",
                        recipe,
                        "127.0.0.1:1",
                        new TopicNames("run"),
                        turnsPartitions,
                        "file:///tmp/ledger",
                        "",
                        new PolicyRef(new PolicyVersion(0, 0), "fake:0"),
                        new FakeBackends("regions", 1)));
        return env.getStreamGraph().getJobGraph();
    }
}
