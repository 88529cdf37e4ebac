package dev.millrace.operators.admission;

import dev.millrace.operators.topic.KeptRecord;
import dev.millrace.operators.topic.Wire;
import dev.millrace.udfs.admission.AdmissionChanges;
import dev.millrace.udfs.admission.AdmissionHead;
import dev.millrace.udfs.admission.AdmissionSettings;
import dev.millrace.udfs.admission.AdmissionState;
import dev.millrace.udfs.admission.EvalRound;
import dev.millrace.udfs.admission.GroupEntry;
import dev.millrace.udfs.admission.TaskFailures;
import dev.millrace.udfs.admission.TaskRate;
import dev.millrace.udfs.model.Task;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.state.KeyedStateStore;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.state.FunctionInitializationContext;

/**
 * What the gate keeps of a run, under the run's key: a head of fixed size, and an entry for each
 * task, group, waiting row, evaluation round, solved task and failing verifier. An entry is written
 * when it changes, so an incremental checkpoint costs what happened since the last one and not what
 * the run has seen. Entries are JSON, which may grow.
 *
 * <p>A state of the first layout, one record in the operator's state, is taken over once.
 */
final class GateState {
    private static final TypeInformation<byte[]> BYTES =
            PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO;

    private final KeptRecord<AdmissionState> firstLayout;
    private final ValueState<byte[]> head;
    private final MapState<Integer, byte[]> trainTasks;
    private final MapState<Integer, byte[]> evalTasks;

    /** Null when the catalogue has the tasks: a state costs something in every checkpoint. */
    private final MapState<Long, byte[]> rows;

    private final MapState<String, byte[]> groups;
    private final MapState<Long, byte[]> rounds;

    /** Null without a curriculum: a state costs something in every checkpoint. */
    private final MapState<Integer, byte[]> taskRates;

    /** Null without a quarantine of tasks: a state costs something in every checkpoint. */
    private final MapState<String, byte[]> taskFailures;

    private final Runnable toItsKey;
    private AdmissionState state;
    private byte[] writtenHead;

    /**
     * @param settings say whether rows, and how often tasks were solved or not graded, are kept
     * @param toItsKey makes the run's key the current one
     */
    GateState(FunctionInitializationContext context, AdmissionSettings settings, Runnable toItsKey)
            throws Exception {
        this.toItsKey = toItsKey;
        firstLayout = KeptRecord.in(context.getOperatorStateStore(), "book", AdmissionState.class);
        KeyedStateStore store = context.getKeyedStateStore();
        head = store.getState(new ValueStateDescriptor<>("head", BYTES));
        trainTasks = store.getMapState(new MapStateDescriptor<>("train-tasks", Types.INT, BYTES));
        evalTasks = store.getMapState(new MapStateDescriptor<>("eval-tasks", Types.INT, BYTES));
        rows =
                settings.rowsAhead() > 0
                        ? store.getMapState(new MapStateDescriptor<>("rows", Types.LONG, BYTES))
                        : null;
        groups = store.getMapState(new MapStateDescriptor<>("groups", Types.STRING, BYTES));
        rounds = store.getMapState(new MapStateDescriptor<>("rounds", Types.LONG, BYTES));
        taskRates =
                settings.curriculum()
                        ? store.getMapState(
                                new MapStateDescriptor<>("task-rates", Types.INT, BYTES))
                        : null;
        taskFailures =
                settings.quarantineAfter() > 0
                        ? store.getMapState(
                                new MapStateDescriptor<>("task-failures", Types.STRING, BYTES))
                        : null;
    }

    /** Reads all of it. */
    AdmissionState read() throws Exception {
        toItsKey.run();
        writtenHead = head.value();
        if (writtenHead == null) {
            state = firstLayout.or(new AdmissionState());
            state.touchAll();
            firstLayout.clear();
            return state;
        }
        state =
                AdmissionState.of(
                        Wire.decode(writtenHead, AdmissionState.class),
                        inOrder(trainTasks, Task.class),
                        inOrder(evalTasks, Task.class),
                        rows == null ? Map.of() : sorted(rows, Task.class),
                        inOrder(groups, GroupEntry.class),
                        inOrder(rounds, EvalRound.class),
                        taskRates == null ? List.of() : inOrder(taskRates, TaskRate.class),
                        taskFailures == null
                                ? List.of()
                                : inOrder(taskFailures, TaskFailures.class));
        return state;
    }

    /** Writes what has changed since it was read or written. */
    void write() throws Exception {
        toItsKey.run();
        byte[] newHead = Wire.encode(state, AdmissionHead.class);
        if (!Arrays.equals(newHead, writtenHead)) {
            head.update(newHead);
            writtenHead = newHead;
        }
        AdmissionChanges changes = state.takeChanges();
        append(trainTasks, changes.firstTrainTask(), changes.trainTasks());
        append(evalTasks, changes.firstEvalTask(), changes.evalTasks());
        put(rows, changes.rows());
        put(groups, changes.groups());
        put(rounds, changes.rounds());
        put(taskRates, changes.taskRates());
        put(taskFailures, changes.taskFailures());
    }

    private static void append(MapState<Integer, byte[]> tasks, int first, List<Task> added)
            throws Exception {
        for (int i = 0; i < added.size(); i++) {
            tasks.put(first + i, Wire.encode(added.get(i)));
        }
    }

    /** Writes entries; null is one that is gone. */
    private static <K, T> void put(MapState<K, byte[]> entries, Map<K, T> changed)
            throws Exception {
        for (Map.Entry<K, T> entry : changed.entrySet()) {
            if (entry.getValue() == null) {
                entries.remove(entry.getKey());
            } else {
                entries.put(entry.getKey(), Wire.encode(entry.getValue()));
            }
        }
    }

    private static <K extends Comparable<K>, T> List<T> inOrder(
            MapState<K, byte[]> entries, Class<T> type) throws Exception {
        return new ArrayList<>(sorted(entries, type).values());
    }

    private static <K extends Comparable<K>, T> Map<K, T> sorted(
            MapState<K, byte[]> entries, Class<T> type) throws Exception {
        TreeMap<K, T> sorted = new TreeMap<>();
        for (Map.Entry<K, byte[]> entry : entries.entries()) {
            sorted.put(entry.getKey(), Wire.decode(entry.getValue(), type));
        }
        return sorted;
    }
}
