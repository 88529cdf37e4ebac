package dev.millrace.udfs.group;

import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Picks the tasks that teach something, those nearest to an even chance first. */
public final class MixedOrder {
    private MixedOrder() {}

    /**
     * Tasks that were solved sometimes but not always, by distance from half, then by id.
     *
     * @param solved how often each task was solved
     * @param attempts how often each was tried
     */
    public static List<String> of(Map<String, Integer> solved, int attempts) {
        Comparator<Map.Entry<String, Integer>> byDistance =
                Comparator.comparingInt(e -> Math.abs(2 * e.getValue() - attempts));
        return solved.entrySet().stream()
                .filter(e -> e.getValue() > 0 && e.getValue() < attempts)
                .sorted(byDistance.thenComparing(Map.Entry::getKey))
                .map(Map.Entry::getKey)
                .toList();
    }
}
