package dev.millrace.udfs.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.udfs.Vectors;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RepositorySplitTest {
    private static final double FRACTION = SubsetPlan.EVAL_FRACTION;

    @Test
    void splitsOneLanguageAsTheReferenceDoes() {
        JsonNode vector = Vectors.get("split_case_A");
        List<String> ids = new ArrayList<>();
        List<RowKey> rows = rows(name -> "python", ids);
        assertThat(rows).hasSize(vector.get("n_rows").asInt());
        assertThat(RepositorySplit.heldOut(rows, 0, FRACTION))
                .containsExactlyElementsOf(Cases.texts(vector.get("eval_repos_in_move_order")));
        Map<String, int[]> subsets = SubsetPlan.of(rows, 0);
        assertThat(named(subsets.get("eval"), ids)).isEqualTo(Cases.texts(vector.get("eval_ids")));
        assertThat(named(subsets.get("train-4"), ids))
                .isEqualTo(Cases.texts(vector.get("train-4_ids_in_file_order")));
        assertThat(named(subsets.get("eval-4"), ids))
                .isEqualTo(Cases.texts(vector.get("eval-4_ids_in_file_order")));
        assertThat(subsets).doesNotContainKeys("train-100", "train-300", "train-1000");
    }

    @Test
    void balancesLanguagesAsTheReferenceDoes() {
        JsonNode vector = Vectors.get("split_case_B_multilang");
        List<String> ids = new ArrayList<>();
        List<RowKey> rows = rows(name -> vector.get("lang_by_repo").get(name).asText(), ids);
        Set<String> held = RepositorySplit.heldOut(rows, 0, FRACTION);
        assertThat(held)
                .containsExactlyElementsOf(Cases.texts(vector.get("eval_repos_in_move_order")));
        int[] train = SubsetPlan.of(rows, 0).get(SubsetPlan.TRAIN_FULL);
        List<String> categories =
                java.util.Arrays.stream(train).mapToObj(row -> rows.get(row).category()).toList();
        List<String> drawn = new ArrayList<>();
        for (int row : BalancedSample.draw(categories, 10, 0)) {
            drawn.add(ids.get(train[row]));
        }
        assertThat(drawn).isEqualTo(Cases.texts(vector.get("train-10_ids_in_pick_order")));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void splitsAndDrawsAsPythonDoes(Cases.Case one) {
        Set<String> held = RepositorySplit.heldOut(one.rows(), one.seed(), FRACTION);
        assertThat(held).containsExactlyElementsOf(one.heldOut());
        List<String> train =
                one.rows().stream()
                        .filter(row -> !held.contains(row.repository()))
                        .map(RowKey::category)
                        .toList();
        assertThat(BalancedSample.draw(train, one.drawn().length, one.seed()))
                .containsExactly(one.drawn());
    }

    static Stream<Cases.Case> cases() {
        return Cases.all();
    }

    @Test
    void roundsHalvesToEven() {
        Vectors.get("bankers_round")
                .properties()
                .forEach(
                        entry ->
                                assertThat(Math.rint(Double.parseDouble(entry.getKey())))
                                        .isEqualTo(entry.getValue().asDouble()));
    }

    @Test
    void keepsTwoRepositoriesOfEachLanguageForTraining() {
        List<RowKey> rows = new ArrayList<>();
        for (String repository : List.of("a", "b", "c", "d")) {
            rows.add(new RowKey(repository, repository.compareTo("c") < 0 ? "go" : "c"));
        }
        assertThat(RepositorySplit.heldOut(rows, 0, 0.9)).isEmpty();
    }

    @Test
    void smallerSubsetsLieInLargerOnes() {
        List<RowKey> rows = new ArrayList<>();
        for (int i = 0; i < 700; i++) {
            rows.add(new RowKey("r" + i % 90, i % 90 % 3 == 0 ? "go" : "python"));
        }
        Map<String, int[]> subsets = SubsetPlan.of(rows, 0);
        assertThat(set(subsets.get("train-100"))).containsAll(set(subsets.get("train-4")));
        assertThat(set(subsets.get("train-300"))).containsAll(set(subsets.get("train-100")));
        assertThat(set(subsets.get("train-full"))).containsAll(set(subsets.get("train-300")));
        assertThat(set(subsets.get("eval")))
                .doesNotContainAnyElementsOf(set(subsets.get("train-full")));
    }

    private static Set<Integer> set(int[] rows) {
        Set<Integer> set = new HashSet<>();
        for (int row : rows) {
            set.add(row);
        }
        return set;
    }

    private static List<String> named(int[] rows, List<String> ids) {
        return java.util.Arrays.stream(rows).mapToObj(ids::get).toList();
    }

    private static List<RowKey> rows(UnaryOperator<String> language, List<String> ids) {
        int[] sizes = Vectors.ints(Vectors.get("split_case_A").get("sizes_by_repo_r00_r19"));
        List<RowKey> rows = new ArrayList<>();
        for (int j = 0; j < 9; j++) {
            for (int k = 0; k < sizes.length; k++) {
                if (j < sizes[k]) {
                    String name = String.format(Locale.ROOT, "r%02d", k);
                    rows.add(new RowKey("org/" + name, language.apply(name)));
                    ids.add(name + "-" + j);
                }
            }
        }
        return rows;
    }
}
