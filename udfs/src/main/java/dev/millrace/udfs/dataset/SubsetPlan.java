package dev.millrace.udfs.dataset;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** Which rows go into which file of a prepared dataset. */
public final class SubsetPlan {
    /** Share of rows that is held out. */
    public static final double EVAL_FRACTION = 0.2;

    /** All training rows. */
    public static final String TRAIN_FULL = "train-full";

    private static final List<Integer> TRAIN_SIZES = List.of(4, 100, 300, 1000);
    private static final List<Integer> EVAL_SIZES = List.of(4);

    private SubsetPlan() {}

    /** Names of all subsets that a dataset may have. */
    public static List<String> names() {
        return List.of(
                TRAIN_FULL, "eval", "train-4", "train-100", "train-300", "train-1000", "eval-4");
    }

    /**
     * Row numbers of each subset, ascending; a subset that would be larger than its pool is left
     * out.
     */
    public static Map<String, int[]> of(List<RowKey> rows, long seed) {
        Set<String> held = RepositorySplit.heldOut(rows, seed, EVAL_FRACTION);
        int[] train = rowsOf(rows, held, false);
        int[] eval = rowsOf(rows, held, true);
        Map<String, int[]> subsets = new LinkedHashMap<>();
        subsets.put(TRAIN_FULL, train);
        subsets.put("eval", eval);
        addSamples("train-", TRAIN_SIZES, train, rows, seed, subsets);
        addSamples("eval-", EVAL_SIZES, eval, rows, seed, subsets);
        return subsets;
    }

    private static int[] rowsOf(List<RowKey> rows, Set<String> held, boolean eval) {
        return IntStream.range(0, rows.size())
                .filter(row -> held.contains(rows.get(row).repository()) == eval)
                .toArray();
    }

    private static void addSamples(
            String prefix,
            List<Integer> sizes,
            int[] pool,
            List<RowKey> rows,
            long seed,
            Map<String, int[]> subsets) {
        List<String> categories =
                Arrays.stream(pool).mapToObj(row -> rows.get(row).category()).toList();
        for (int size : sizes) {
            if (size <= pool.length) {
                int[] drawn = BalancedSample.draw(categories, size, seed);
                subsets.put(
                        prefix + size,
                        Arrays.stream(drawn).sorted().map(row -> pool[row]).toArray());
            }
        }
    }
}
