package dev.millrace.udfs.admission;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.millrace.udfs.model.Task;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * All that an {@link AdmissionBook} knows. It is the book's working memory: encode what you keep of
 * it before the book is used again. It can be kept as one piece, or as its head and an entry for
 * each task, group and round, of which {@link #takeChanges} names those that changed.
 */
public final class AdmissionState extends AdmissionHead {
    /** Tasks to learn from, in order of arrival. */
    List<Task> trainTasks = new ArrayList<>();

    /** Held-out tasks, in order of arrival. */
    List<Task> evalTasks = new ArrayList<>();

    /** Rows of a topic that were not played yet, by their number in order of arrival. */
    TreeMap<Long, Task> rows = new TreeMap<>();

    /** Groups by id. */
    TreeMap<String, GroupEntry> groups = new TreeMap<>();

    /** Evaluation rounds by step. */
    TreeMap<Long, EvalRound> rounds = new TreeMap<>();

    /** How often tasks were solved, by their position. */
    TreeMap<Integer, TaskRate> taskRates = new TreeMap<>();

    /** Tasks whose verifiers gave no verdict last, by id. */
    TreeMap<String, TaskFailures> taskFailures = new TreeMap<>();

    @JsonIgnore private final TreeSet<Long> touchedRows = new TreeSet<>();
    @JsonIgnore private final TreeSet<String> touchedGroups = new TreeSet<>();
    @JsonIgnore private final TreeSet<Long> touchedRounds = new TreeSet<>();
    @JsonIgnore private final TreeSet<Integer> touchedRates = new TreeSet<>();
    @JsonIgnore private final TreeSet<String> touchedFailures = new TreeSet<>();
    @JsonIgnore private int takenTrainTasks;
    @JsonIgnore private int takenEvalTasks;

    /** Before anything is known. */
    public AdmissionState() {}

    /**
     * A state that was kept in entries; nothing of it counts as changed.
     *
     * @param head a state of which only the head is set; it becomes the whole one
     * @param trainTasks in order of arrival
     * @param evalTasks in order of arrival
     * @param rows by their number in order of arrival
     */
    public static AdmissionState of(
            AdmissionState head,
            List<Task> trainTasks,
            List<Task> evalTasks,
            Map<Long, Task> rows,
            Collection<GroupEntry> groups,
            Collection<EvalRound> rounds,
            Collection<TaskRate> taskRates,
            Collection<TaskFailures> taskFailures) {
        head.trainTasks.addAll(trainTasks);
        head.evalTasks.addAll(evalTasks);
        head.rows.putAll(rows);
        groups.forEach(group -> head.groups.put(group.groupId, group));
        rounds.forEach(round -> head.rounds.put(round.step, round));
        taskRates.forEach(rate -> head.taskRates.put(rate.position, rate));
        taskFailures.forEach(task -> head.taskFailures.put(task.taskId, task));
        head.takenTrainTasks = trainTasks.size();
        head.takenEvalTasks = evalTasks.size();
        return head;
    }

    /** Counts all of it as changed: it was kept as one piece. */
    public void touchAll() {
        touchedRows.addAll(rows.keySet());
        touchedGroups.addAll(groups.keySet());
        touchedRounds.addAll(rounds.keySet());
        touchedRates.addAll(taskRates.keySet());
        touchedFailures.addAll(taskFailures.keySet());
        takenTrainTasks = 0;
        takenEvalTasks = 0;
    }

    /** The entries that changed since this was asked last; the head is not among them. */
    public AdmissionChanges takeChanges() {
        Map<Long, Task> changedRows = new HashMap<>();
        touchedRows.forEach(number -> changedRows.put(number, rows.get(number)));
        Map<String, GroupEntry> changedGroups = new HashMap<>();
        touchedGroups.forEach(id -> changedGroups.put(id, groups.get(id)));
        Map<Long, EvalRound> changedRounds = new HashMap<>();
        touchedRounds.forEach(step -> changedRounds.put(step, rounds.get(step)));
        Map<Integer, TaskRate> changedRates = new HashMap<>();
        touchedRates.forEach(position -> changedRates.put(position, taskRates.get(position)));
        Map<String, TaskFailures> changedFailures = new HashMap<>();
        touchedFailures.forEach(id -> changedFailures.put(id, taskFailures.get(id)));
        AdmissionChanges changes =
                new AdmissionChanges(
                        takenTrainTasks,
                        List.copyOf(trainTasks.subList(takenTrainTasks, trainTasks.size())),
                        takenEvalTasks,
                        List.copyOf(evalTasks.subList(takenEvalTasks, evalTasks.size())),
                        changedRows,
                        changedGroups,
                        changedRounds,
                        changedRates,
                        changedFailures);
        takenTrainTasks = trainTasks.size();
        takenEvalTasks = evalTasks.size();
        touchedRows.clear();
        touchedGroups.clear();
        touchedRounds.clear();
        touchedRates.clear();
        touchedFailures.clear();
        return changes;
    }

    /** The rate of a training task, which changes. */
    TaskRate rate(int position) {
        touchedRates.add(position);
        return taskRates.computeIfAbsent(position, TaskRate::at);
    }

    /** The failures in a row of a task's verifier, which change. */
    TaskFailures failures(String taskId) {
        touchedFailures.add(taskId);
        return taskFailures.computeIfAbsent(taskId, TaskFailures::of);
    }

    /** A task's verifier works. */
    void forgetFailures(String taskId) {
        if (taskFailures.remove(taskId) != null) {
            touchedFailures.add(taskId);
        }
    }

    /** Notes that a row comes or goes. */
    void touchRow(long number) {
        touchedRows.add(number);
    }

    /** Notes that a group changes, comes or goes. */
    void touch(GroupEntry group) {
        touchedGroups.add(group.groupId);
    }

    /** Notes that a round changes or comes. */
    void touch(EvalRound round) {
        touchedRounds.add(round.step);
    }
}
