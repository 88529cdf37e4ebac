package dev.millrace.operators.topic;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/**
 * Keys that reach every parallel instance of a keyed stage: one of each key group. Assigned by
 * load, they spread work evenly, which hashed ids do not.
 */
public final class Routes {
    private Routes() {}

    /**
     * One key of each key group, by key group. The same in every JVM.
     *
     * @param maxParallelism number of key groups
     */
    public static List<String> keys(int maxParallelism) {
        TreeMap<Integer, String> keys = new TreeMap<>();
        for (int i = 0; keys.size() < maxParallelism; i++) {
            String key = "r" + i;
            keys.putIfAbsent(KeyGroupRangeAssignment.assignToKeyGroup(key, maxParallelism), key);
        }
        return List.copyOf(keys.values());
    }

    /**
     * The same keys in turn for each parallel instance: a neighbour's work is another's. Who gives
     * out work takes the first key that has least, so few items are spread over all instances too.
     *
     * @param maxParallelism number of key groups
     * @param parallelism of the keyed stage
     */
    public static List<String> spread(int maxParallelism, int parallelism) {
        List<Deque<String>> owned = new ArrayList<>();
        for (int instance = 0; instance < parallelism; instance++) {
            owned.add(new ArrayDeque<>());
        }
        for (String key : keys(maxParallelism)) {
            int instance =
                    KeyGroupRangeAssignment.assignKeyToParallelOperator(
                            key, maxParallelism, parallelism);
            owned.get(instance).add(key);
        }
        List<String> spread = new ArrayList<>();
        while (spread.size() < maxParallelism) {
            owned.stream().map(Deque::poll).filter(Objects::nonNull).forEach(spread::add);
        }
        return List.copyOf(spread);
    }
}
