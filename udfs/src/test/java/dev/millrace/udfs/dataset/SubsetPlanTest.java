package dev.millrace.udfs.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.udfs.Vectors;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole plans of random rows, as a program in Python 3.11 makes them. */
class SubsetPlanTest {
    /** One of them; names are numbered to keep the file short. */
    record Plan(long seed, List<RowKey> rows, List<String> heldOut, Map<String, int[]> subsets) {
        @Override
        public String toString() {
            return rows.size() + " rows, seed " + seed;
        }
    }

    static Stream<Plan> plans() throws IOException {
        try (InputStream in = Vectors.class.getResourceAsStream("dataset-plans.json")) {
            List<Plan> plans = new ArrayList<>();
            new ObjectMapper().readTree(in).forEach(node -> plans.add(plan(node)));
            return plans.stream();
        }
    }

    @ParameterizedTest
    @MethodSource("plans")
    void splitsAndSubsetsAreThoseOfPython(Plan plan) {
        assertThat(RepositorySplit.heldOut(plan.rows(), plan.seed(), SubsetPlan.EVAL_FRACTION))
                .containsExactlyElementsOf(plan.heldOut());
        Map<String, int[]> subsets = SubsetPlan.of(plan.rows(), plan.seed());
        assertThat(subsets.keySet()).isEqualTo(plan.subsets().keySet());
        plan.subsets()
                .forEach((name, rows) -> assertThat(subsets.get(name)).as(name).isEqualTo(rows));
    }

    private static Plan plan(JsonNode node) {
        List<String> repositories = Cases.texts(node.get("repositories"));
        List<String> categories = Cases.texts(node.get("categories"));
        List<RowKey> rows =
                Arrays.stream(node.get("rows").asText().split(" "))
                        .map(row -> row.split(":"))
                        .map(key -> key(key, repositories, categories))
                        .toList();
        List<String> held = new ArrayList<>();
        node.get("heldOut").forEach(number -> held.add(repositories.get(number.asInt())));
        Map<String, int[]> subsets = new java.util.HashMap<>();
        node.get("subsets")
                .properties()
                .forEach(subset -> subsets.put(subset.getKey(), ints(subset.getValue().asText())));
        return new Plan(node.get("seed").asLong(), rows, held, subsets);
    }

    private static RowKey key(String[] key, List<String> repositories, List<String> categories) {
        return new RowKey(
                repositories.get(Integer.parseInt(key[0])),
                categories.get(Integer.parseInt(key[1])));
    }

    private static int[] ints(String text) {
        return text.isEmpty()
                ? new int[0]
                : Arrays.stream(text.split(" ")).mapToInt(Integer::parseInt).toArray();
    }
}
