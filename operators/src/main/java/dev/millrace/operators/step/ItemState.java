package dev.millrace.operators.step;

import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.step.StepView;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.state.KeyedStateStore;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;

/**
 * Keyed state of a durable step stage, under the current key, a route.
 *
 * <ul>
 *   <li>pending: items that came in and were not read back yet; cleared when they are
 *   <li>journaled: items that were read back before they came in; cleared when they do
 *   <li>open, inputs, events: items being played; cleared with the item's result. Each step writes
 *       its own event only
 *   <li>closed: see {@link ClosedItems}
 * </ul>
 */
final class ItemState<I> {
    /** Name of the state with one small entry for each open item. */
    static final String OPEN = "open";

    /** Name of the state with the items that wait to be read back. */
    static final String PENDING = "pending";

    private final MapState<String, I> pending;
    private final MapState<String, String> journaled;
    private final MapState<String, OpenItem> open;
    private final MapState<String, I> inputs;
    private final MapState<String, StepEvent> events;
    private final ClosedItems closed;

    ItemState(KeyedStateStore store, Class<I> inputType) {
        TypeInformation<I> input = TypeInformation.of(inputType);
        pending = map(store, PENDING, input);
        journaled = map(store, "journaled", Types.STRING);
        open = map(store, OPEN, TypeInformation.of(OpenItem.class));
        inputs = map(store, "inputs", input);
        events = map(store, "events", TypeInformation.of(StepEvent.class));
        closed = new ClosedItems(store);
    }

    /** Keeps an item that came in; false when it is known already. */
    boolean arrive(String itemId, I input) throws Exception {
        if (journaled.contains(itemId)) {
            journaled.remove(itemId);
            return false;
        }
        if (pending.contains(itemId) || open.contains(itemId) || closed.contains(itemId)) {
            return false;
        }
        pending.put(itemId, input);
        return true;
    }

    /** Whether an admission read back is the item's first. */
    boolean admissible(String itemId) throws Exception {
        return !open.contains(itemId) && !closed.contains(itemId);
    }

    /** Starts an item that was read back; true when it had come in before. */
    boolean admit(String itemId, String admissionId, I input) throws Exception {
        boolean arrived = pending.contains(itemId);
        if (arrived) {
            pending.remove(itemId);
        } else {
            journaled.put(itemId, admissionId);
        }
        inputs.put(itemId, input);
        open.put(itemId, new OpenItem(admissionId, 0));
        return arrived;
    }

    /** The marker of an open item, or null. */
    OpenItem open(String itemId) throws Exception {
        return open.get(itemId);
    }

    StepView<I> view(String itemId, OpenItem item) throws Exception {
        List<StepEvent> happened = new ArrayList<>(item.events());
        for (int i = 0; i < item.events(); i++) {
            happened.add(events.get(eventKey(itemId, i)));
        }
        return new StepView<>(inputs.get(itemId), happened);
    }

    /** Adds an event to an open item. */
    void append(String itemId, OpenItem item, StepEvent event) throws Exception {
        events.put(eventKey(itemId, item.events()), event);
        open.put(itemId, new OpenItem(item.admissionId(), item.events() + 1));
    }

    /** Forgets an open item but for the fact that it was played. */
    void close(String itemId, OpenItem item) throws Exception {
        for (int i = 0; i < item.events(); i++) {
            events.remove(eventKey(itemId, i));
        }
        inputs.remove(itemId);
        open.remove(itemId);
        closed.add(itemId, item.admissionId());
    }

    /** Ids of the open items under the current key; a copy. */
    List<String> openIds() throws Exception {
        return copy(open.keys());
    }

    /** The pending items under the current key; a copy. */
    List<I> pending() throws Exception {
        return copy(pending.values());
    }

    private static String eventKey(String itemId, int index) {
        return itemId + "/" + index;
    }

    private static <T> List<T> copy(Iterable<T> values) {
        List<T> list = new ArrayList<>();
        values.forEach(list::add);
        return list;
    }

    private static <T> MapState<String, T> map(
            KeyedStateStore store, String name, TypeInformation<T> type) {
        return store.getMapState(new MapStateDescriptor<>(name, Types.STRING, type));
    }
}
