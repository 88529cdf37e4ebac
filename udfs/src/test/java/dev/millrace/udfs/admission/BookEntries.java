package dev.millrace.udfs.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.udfs.model.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A book's memory in entries, as a checkpoint keeps it: only what changed is written. */
public final class BookEntries {
    private static final ObjectMapper JSON = new ObjectMapper();

    private String head = "{}";
    private final TreeMap<Integer, String> trainTasks = new TreeMap<>();
    private final TreeMap<Integer, String> evalTasks = new TreeMap<>();
    private final TreeMap<Long, String> rows = new TreeMap<>();
    private final TreeMap<String, String> groups = new TreeMap<>();
    private final TreeMap<Long, String> rounds = new TreeMap<>();
    private final TreeMap<Integer, String> taskRates = new TreeMap<>();
    private final TreeMap<String, String> taskFailures = new TreeMap<>();

    /** Writes what changed, and makes sure that it was all that changed; returns how much. */
    public int write(AdmissionState state) {
        head = encode(state, AdmissionHead.class);
        AdmissionChanges changes = state.takeChanges();
        for (int i = 0; i < changes.trainTasks().size(); i++) {
            trainTasks.put(changes.firstTrainTask() + i, encode(changes.trainTasks().get(i)));
        }
        for (int i = 0; i < changes.evalTasks().size(); i++) {
            evalTasks.put(changes.firstEvalTask() + i, encode(changes.evalTasks().get(i)));
        }
        changes.rows().forEach((number, row) -> put(rows, number, row));
        changes.groups().forEach((id, group) -> put(groups, id, group));
        changes.rounds().forEach((step, round) -> rounds.put(step, encode(round)));
        changes.taskRates().forEach((position, rate) -> taskRates.put(position, encode(rate)));
        changes.taskFailures().forEach((id, failures) -> put(taskFailures, id, failures));
        assertThat(encode(read())).as("entries hold all of it").isEqualTo(encode(state));
        return changes.size();
    }

    public AdmissionState read() {
        return AdmissionState.of(
                decode(head, AdmissionState.class),
                all(trainTasks, Task.class),
                all(evalTasks, Task.class),
                rowsByNumber(),
                all(groups, GroupEntry.class),
                all(rounds, EvalRound.class),
                all(taskRates, TaskRate.class),
                all(taskFailures, TaskFailures.class));
    }

    public BookEntries copy() {
        BookEntries copy = new BookEntries();
        copy.head = head;
        copy.trainTasks.putAll(trainTasks);
        copy.evalTasks.putAll(evalTasks);
        copy.rows.putAll(rows);
        copy.groups.putAll(groups);
        copy.rounds.putAll(rounds);
        copy.taskRates.putAll(taskRates);
        copy.taskFailures.putAll(taskFailures);
        return copy;
    }

    private Map<Long, Task> rowsByNumber() {
        TreeMap<Long, Task> byNumber = new TreeMap<>();
        rows.forEach((number, row) -> byNumber.put(number, decode(row, Task.class)));
        return byNumber;
    }

    private static <K> void put(Map<K, String> entries, K key, Object value) {
        if (value == null) {
            entries.remove(key);
        } else {
            entries.put(key, encode(value));
        }
    }

    private static <T> List<T> all(Map<?, String> entries, Class<T> type) {
        List<T> all = new ArrayList<>();
        entries.values().forEach(entry -> all.add(decode(entry, type)));
        return all;
    }

    private static String encode(Object value) {
        return encode(value, value.getClass());
    }

    private static String encode(Object value, Class<?> as) {
        try {
            return JSON.writerFor(as).writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static <T> T decode(String json, Class<T> type) {
        try {
            return JSON.readValue(json, type);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
