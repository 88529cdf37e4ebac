package dev.millrace.udfs.admission;

import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.Task;
import dev.millrace.udfs.seed.PythonRandom;
import java.util.HashSet;
import java.util.Set;

/** The tasks of a run and the order in which they are learned from. */
final class Catalogue {
    private final AdmissionState state;
    private final long runSeed;
    private final Set<String> known = new HashSet<>();
    private long orderedPass = -1;
    private int[] order = new int[0];

    Catalogue(AdmissionState state, long runSeed) {
        this.state = state;
        this.runSeed = runSeed;
        state.trainTasks.forEach(task -> known.add(task.taskId()));
        state.evalTasks.forEach(task -> known.add(task.taskId()));
    }

    /** Adds a task; one that is known already is left as it is. */
    void add(Task task) {
        if (known.add(task.taskId())) {
            (task.split() == Split.TRAIN ? state.trainTasks : state.evalTasks).add(task);
        }
    }

    /**
     * The task of a training index. Every pass over the catalogue is shuffled anew, with the seed
     * run seed + number of the pass. Indexes are asked for in ascending order.
     */
    Task at(long index) {
        while (index >= state.passStart + state.passSize) {
            state.passStart += state.passSize;
            state.passSize = state.trainTasks.size();
            state.pass++;
        }
        if (orderedPass != state.pass) {
            order = new PythonRandom(runSeed + state.pass).permutation(state.passSize);
            orderedPass = state.pass;
        }
        return state.trainTasks.get(order[(int) (index - state.passStart)]);
    }
}
