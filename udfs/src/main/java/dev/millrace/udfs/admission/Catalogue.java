package dev.millrace.udfs.admission;

import dev.millrace.udfs.group.GroupVerdict;
import dev.millrace.udfs.model.CatalogueStart;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.Task;
import dev.millrace.udfs.seed.PythonRandom;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The tasks of a run and the order in which they are learned from: rows of a topic as they arrive,
 * or a catalogue that is played again and again, each time in another order. A run that was given
 * other tasks plays the earlier ones up to the first index of the later ones, so which task an
 * index plays does not depend on when it is asked for.
 */
final class Catalogue {
    private final AdmissionState state;
    private final long runSeed;
    private final Curriculum curriculum;
    private final RowQueue rows;

    /** Groups below were given out before this book was opened. */
    private final long givenOut;

    private final Set<String> training = new HashSet<>();
    private final Set<String> heldOut = new HashSet<>();
    private Map<String, Integer> positions = Map.of();
    private int positionsOf = Integer.MIN_VALUE;
    private long orderedFrom = -1;
    private int[] order = new int[0];

    Catalogue(AdmissionSettings settings, AdmissionState state, RowQueue rows) {
        this.state = state;
        this.rows = rows;
        this.runSeed = settings.runSeed();
        this.curriculum = new Curriculum(settings, state);
        this.givenOut = state.nextIndex;
        state.trainTasks
                .subList(newestSpan().firstTask(), state.trainTasks.size())
                .forEach(task -> training.add(task.taskId()));
        state.evalTasks.forEach(task -> heldOut.add(task.taskId()));
    }

    /** The tasks that follow are a catalogue of their own; one that is known already is not. */
    void start(CatalogueStart start) {
        boolean first = state.catalogues.isEmpty() && start.number() == 0;
        boolean known =
                !state.catalogues.isEmpty() && start.number() <= newestSpan().start().number();
        if (known) {
            return;
        }
        long firstIndex = first ? 0 : Math.max(start.firstIndex(), givenOut);
        int firstTask = first ? 0 : state.trainTasks.size();
        state.catalogues.add(new CatalogueSpan(start, firstIndex, firstTask));
        if (!first) {
            training.clear();
        }
    }

    /** Adds a task; one that is known already is left as it is. */
    void add(Task task) {
        if (task.split() == Split.TRAIN) {
            if (training.add(task.taskId())) {
                state.trainTasks.add(task);
            }
        } else if (heldOut.add(task.taskId())) {
            state.evalTasks.add(task);
        }
    }

    /** A training group was closed: its task may have to be played again. */
    void closed(GroupRecord group) {
        curriculum.closed(group);
        rows.played(group.task());
        if (group.cause().equals(GroupVerdict.REPINNED)) {
            state.again.add(group.task());
        }
    }

    /** A task that was to be played again is being played. */
    void takenAgain(Task task) {
        state.again.stream()
                .filter(again -> again.taskId().equals(task.taskId()))
                .findFirst()
                .ifPresent(state.again::remove);
    }

    /** Rows of the newest catalogue, and of the topic of rows, that are no tasks. */
    long rejectedRows() {
        int listed = state.catalogues.isEmpty() ? 0 : newestSpan().start().rejectedRows();
        return listed + state.rowsRejected;
    }

    /** Whether some task of the newest catalogue is not closed, or there is a row to come. */
    boolean hasAnotherThan(Predicate<String> closed) {
        return rows.enabled() || training.stream().anyMatch(id -> !closed.test(id));
    }

    /** Whether there is a task to play. */
    boolean hasNext() {
        return rows.enabled()
                ? !(state.again.isEmpty() && rows.isEmpty())
                : !state.trainTasks.isEmpty();
    }

    /** The task that a training index plays: one that is to be played again comes first. */
    Task next(long index) {
        if (state.catalogues.size() > 1 && !rows.enabled()) {
            state.again.removeIf(task -> !training.contains(task.taskId()));
        }
        if (!state.again.isEmpty()) {
            return state.again.remove(0);
        }
        return rows.enabled() ? rows.next() : at(index);
    }

    /**
     * The task of a training index. Every pass over a catalogue is drawn anew, with the seed run
     * seed + number of the pass: shuffled, or by the weights of a curriculum. A later catalogue
     * begins with its pass 0. Indexes are asked for in ascending order.
     */
    private Task at(long index) {
        int span = spanAt(index);
        long from = span < 0 ? 0 : state.catalogues.get(span).firstIndex();
        if (state.passStart < from) {
            state.passStart = from;
            state.passSize = 0;
            state.pass = -1;
        }
        while (index >= state.passStart + state.passSize) {
            count(span, from);
            state.passStart += state.passSize;
            state.passSize = size(span);
            state.pass++;
        }
        if (orderedFrom != state.passStart) {
            order = draw(span);
            orderedFrom = state.passStart;
        }
        count(span, from);
        return state.trainTasks.get(firstTask(span) + order[(int) (index - state.passStart)]);
    }

    /** Counts the closed groups that the next pass goes by. */
    private void count(int span, long from) {
        if (curriculum.on()) {
            curriculum.count(passEnd(span), state.pass, from, positions(span));
        }
    }

    private int[] draw(int span) {
        PythonRandom random = new PythonRandom(runSeed + state.pass);
        return curriculum.weighs(state.pass, state.passStart)
                ? WeightedOrder.draw(
                        random, curriculum.weights(firstTask(span), state.passSize, state.pass))
                : random.permutation(state.passSize);
    }

    /** Index behind the present pass, which a later catalogue may end. */
    private long passEnd(int span) {
        long end = state.passStart + state.passSize;
        int next = span + 1;
        return next < state.catalogues.size()
                ? Math.min(end, state.catalogues.get(next).firstIndex())
                : end;
    }

    /** Positions of a span's tasks by id. */
    private Map<String, Integer> positions(int span) {
        if (positionsOf != span || positions.size() != size(span)) {
            Map<String, Integer> found = new HashMap<>();
            int first = firstTask(span);
            for (int i = first; i < first + size(span); i++) {
                found.put(state.trainTasks.get(i).taskId(), i);
            }
            positions = found;
            positionsOf = span;
        }
        return positions;
    }

    /** Position of the span that an index lies in; -1 for tasks before all spans. */
    private int spanAt(long index) {
        int span = state.catalogues.size() - 1;
        while (span >= 0 && state.catalogues.get(span).firstIndex() > index) {
            span--;
        }
        return span;
    }

    private int firstTask(int span) {
        return span < 0 ? 0 : state.catalogues.get(span).firstTask();
    }

    private int size(int span) {
        int next = span + 1;
        int end =
                next < state.catalogues.size()
                        ? state.catalogues.get(next).firstTask()
                        : state.trainTasks.size();
        return end - firstTask(span);
    }

    private CatalogueSpan newestSpan() {
        return state.catalogues.isEmpty()
                ? new CatalogueSpan(null, 0, 0)
                : state.catalogues.get(state.catalogues.size() - 1);
    }
}
