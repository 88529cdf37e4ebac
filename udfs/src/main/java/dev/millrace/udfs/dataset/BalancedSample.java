package dev.millrace.udfs.dataset;

import dev.millrace.udfs.seed.CodePointOrder;
import dev.millrace.udfs.seed.PythonRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Draws rows so that every prefix of the drawing has the categories in about their shares. A larger
 * sample of the same rows with the same seed holds every smaller one.
 */
public final class BalancedSample {
    private BalancedSample() {}

    private static final class Bucket {
        private final List<Integer> rows = new ArrayList<>();
        private int[] order;
        private double share;
        private double tie;
        private int taken;
    }

    /**
     * Indices of the drawn rows, in the order they were drawn.
     *
     * @param categories of all rows, in the order of the dataset
     * @param count at most as many as there are rows
     */
    public static int[] draw(List<String> categories, int count, long seed) {
        if (count > categories.size()) {
            throw new IllegalArgumentException(
                    count + " rows can't be drawn from " + categories.size());
        }
        Map<String, Bucket> buckets = buckets(categories, seed);
        int[] drawn = new int[count];
        for (int place = 1; place <= count; place++) {
            Bucket next = mostWanting(buckets, place);
            drawn[place - 1] = next.rows.get(next.order[next.taken++]);
        }
        return drawn;
    }

    private static Map<String, Bucket> buckets(List<String> categories, long seed) {
        Map<String, Bucket> buckets = new LinkedHashMap<>();
        for (int row = 0; row < categories.size(); row++) {
            buckets.computeIfAbsent(categories.get(row), name -> new Bucket()).rows.add(row);
        }
        PythonRandom random = new PythonRandom(seed);
        for (Bucket bucket : buckets.values()) {
            bucket.order = random.permutation(bucket.rows.size());
            bucket.share = bucket.rows.size() / (double) categories.size();
        }
        Map<String, Bucket> sorted = new TreeMap<>(CodePointOrder.INSTANCE);
        sorted.putAll(buckets);
        sorted.values().forEach(bucket -> bucket.tie = random.random());
        return sorted;
    }

    private static Bucket mostWanting(Map<String, Bucket> sorted, int place) {
        Bucket best = null;
        double most = 0;
        for (Bucket bucket : sorted.values()) {
            if (bucket.taken == bucket.rows.size()) {
                continue;
            }
            double wanting = place * bucket.share - bucket.taken;
            // Of two that are equal in everything, the later name.
            if (best == null || wanting > most || (wanting == most && bucket.tie >= best.tie)) {
                best = bucket;
                most = wanting;
            }
        }
        return best;
    }
}
