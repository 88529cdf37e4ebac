package dev.millrace.udfs.admission;

import dev.millrace.udfs.model.RowDemand;
import dev.millrace.udfs.model.RowPosition;
import dev.millrace.udfs.model.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Rows of a topic that were not played yet, in the order in which they arrived. That order is kept,
 * so a restored book goes on in it; rows that the journal says were played are left out, wherever
 * they are. How many there are is bounded by what the book asks for.
 */
final class RowQueue {
    private final AdmissionState state;
    private final int ahead;
    private RowDemand said;

    /**
     * @param ahead rows of each partition that may wait; 0 for a run that reads none
     */
    RowQueue(AdmissionState state, int ahead) {
        this.state = state;
        this.ahead = ahead;
    }

    boolean enabled() {
        return ahead > 0;
    }

    boolean isEmpty() {
        return state.rows.isEmpty();
    }

    int size() {
        return state.rows.size();
    }

    /** Takes a row, once; an empty one is no task. */
    void arrived(RowPosition at, Optional<Task> task) {
        RowCursor cursor = cursor(at.partition());
        if (at.offset() < cursor.next) {
            return;
        }
        cursor.next = at.offset() + 1;
        boolean played = cursor.played.remove(at.offset());
        cursor.played.headSet(cursor.next).clear();
        if (task.isEmpty()) {
            state.rowsRejected++;
        } else if (!played) {
            long arrival = state.rowsArrived++;
            state.rows.put(arrival, task.get().at(at));
            state.touchRow(arrival);
        }
    }

    /** A group plays this task: no other one will. */
    void played(Task task) {
        RowPosition at = task == null ? null : task.row();
        if (at == null || !enabled()) {
            return;
        }
        RowCursor cursor = cursor(at.partition());
        if (at.offset() >= cursor.next) {
            cursor.played.add(at.offset());
            return;
        }
        for (Map.Entry<Long, Task> row : state.rows.entrySet()) {
            if (at.equals(row.getValue().row())) {
                state.touchRow(row.getKey());
                state.rows.remove(row.getKey());
                return;
            }
        }
    }

    /** The row that arrived first; there must be one. */
    Task next() {
        Map.Entry<Long, Task> first = state.rows.pollFirstEntry();
        state.touchRow(first.getKey());
        return first.getValue();
    }

    /** How far the topic may be read; empty when that is about as far as was said last. */
    Optional<RowDemand> demand() {
        if (!enabled()) {
            return Optional.empty();
        }
        RowDemand now = new RowDemand(limits(), ahead);
        if (said != null && !furtherBy(Math.max(1, ahead / 2), now)) {
            return Optional.empty();
        }
        said = now;
        return Optional.of(now);
    }

    private List<RowPosition> limits() {
        TreeMap<Integer, Long> oldest = new TreeMap<>();
        state.rowCursors.forEach((partition, cursor) -> oldest.put(partition, cursor.next));
        for (Task row : state.rows.values()) {
            oldest.merge(row.row().partition(), row.row().offset(), Math::min);
        }
        List<RowPosition> limits = new ArrayList<>();
        oldest.forEach(
                (partition, offset) -> limits.add(new RowPosition(partition, offset + ahead)));
        return limits;
    }

    /** Whether a partition is new or may be read by that many rows more than was said. */
    private boolean furtherBy(int rows, RowDemand now) {
        Map<Integer, Long> before = new TreeMap<>();
        said.limits().forEach(limit -> before.put(limit.partition(), limit.offset()));
        return now.limits().stream()
                .anyMatch(
                        limit -> {
                            Long offset = before.get(limit.partition());
                            return offset == null || limit.offset() >= offset + rows;
                        });
    }

    private RowCursor cursor(int partition) {
        return state.rowCursors.computeIfAbsent(partition, p -> new RowCursor());
    }
}
