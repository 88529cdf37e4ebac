package dev.millrace.operators.topic;

import java.util.List;
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
}
