package dev.millrace.udfs.minibatch;

import dev.millrace.udfs.model.GroupRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Puts closed training groups into the order of their indexes, whatever order they close in. A
 * group waits until all groups before it have closed; repetitions of an index are left out.
 *
 * <p>Not thread-safe.
 */
public final class GroupOrder {
    private final TreeMap<Long, GroupRecord> waiting = new TreeMap<>();
    private long next;

    /** Goes on from what was kept. */
    GroupOrder(State state) {
        next = state.next();
        state.waiting().forEach(group -> waiting.put(group.groupIndex(), group));
    }

    /** Adds a closed group; returns those whose turn has come, in order. */
    List<GroupRecord> add(GroupRecord group) {
        if (group.groupIndex() >= next) {
            waiting.putIfAbsent(group.groupIndex(), group);
        }
        List<GroupRecord> due = new ArrayList<>();
        while (waiting.containsKey(next)) {
            due.add(waiting.remove(next));
            next++;
        }
        return due;
    }

    /** All that wait, in order, although groups before them are missing; none wait after it. */
    List<GroupRecord> rest() {
        List<GroupRecord> rest = List.copyOf(waiting.values());
        if (!rest.isEmpty()) {
            next = waiting.lastKey() + 1;
        }
        waiting.clear();
        return rest;
    }

    /** What to keep. */
    State state() {
        return new State(next, List.copyOf(waiting.values()));
    }

    /**
     * The order on the wire.
     *
     * @param next the index whose turn it is
     * @param waiting closed groups of higher indexes
     */
    public record State(long next, List<GroupRecord> waiting) {
        /** Before anything closed. */
        static State empty() {
            return new State(0, List.of());
        }
    }
}
