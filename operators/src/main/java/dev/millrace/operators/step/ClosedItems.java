package dev.millrace.operators.step;

import java.io.IOException;
import org.apache.flink.api.common.state.KeyedStateStore;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;

/**
 * Remembers the newest closed items of a route, so that a late second admission does not play one
 * again. Cleared by count: the oldest goes when there are too many.
 */
final class ClosedItems {
    /** Most items remembered for each route. */
    static final int MOST = 1024;

    private final MapState<String, String> admissions;
    private final MapState<Long, String> order;
    private final ValueState<Long> next;

    ClosedItems(KeyedStateStore store) {
        admissions =
                store.getMapState(new MapStateDescriptor<>("closed", Types.STRING, Types.STRING));
        order = store.getMapState(new MapStateDescriptor<>("closings", Types.LONG, Types.STRING));
        next = store.getState(new ValueStateDescriptor<>("closing", Types.LONG));
    }

    boolean contains(String itemId) throws Exception {
        return admissions.contains(itemId);
    }

    void add(String itemId, String admissionId) throws Exception {
        long number = number();
        next.update(number + 1);
        order.put(number, itemId);
        admissions.put(itemId, admissionId);
        String oldest = order.get(number - MOST);
        if (oldest != null) {
            order.remove(number - MOST);
            admissions.remove(oldest);
        }
    }

    private long number() throws IOException {
        Long value = next.value();
        return value == null ? 0 : value;
    }
}
