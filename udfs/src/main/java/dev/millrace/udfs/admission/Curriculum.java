package dev.millrace.udfs.admission;

import dev.millrace.udfs.model.GroupRecord;
import java.util.Map;

/**
 * Weights of tasks by how often they were solved: how likely a group at a task is to be mixed.
 *
 * <p>Which closed groups the order of a pass depends on must not depend on when it is drawn, for a
 * restored book draws it again and may have heard more by then. When a training group is admitted
 * fewer than {@link AdmissionSettings#openGroupLimit} are open, so that many groups less than its
 * index are closed: a pass goes by so many closed groups, the first in the order of their topic,
 * and not by those behind.
 */
final class Curriculum {
    /** Least weight: a task that was always or never solved is still tried. */
    static final double LEAST = 0.1;

    private final AdmissionSettings settings;
    private final AdmissionState state;

    /** Goes on from what was kept; one that begins counts from now on. */
    Curriculum(AdmissionSettings settings, AdmissionState state) {
        this.settings = settings;
        this.state = state;
        if (!settings.curriculum()) {
            state.curriculum = null;
        } else if (state.curriculum == null) {
            state.curriculum = CurriculumHead.since(state.nextIndex);
        }
    }

    /** Whether there is one. */
    boolean on() {
        return settings.curriculum();
    }

    /** A training group was closed, for the first time. */
    void closed(GroupRecord group) {
        if (on()) {
            state.curriculum.waiting.add(ClosedTry.of(group));
        }
    }

    /** Whether the order of a pass is drawn by weights: the first pass of a catalogue never is. */
    boolean weighs(long pass, long passStart) {
        return on() && pass > 0 && passStart >= state.curriculum.since;
    }

    /**
     * Counts the closed groups that the pass behind this one goes by.
     *
     * @param nextStart index that the pass behind this one begins with
     * @param pass number of this one
     * @param firstIndex of the catalogue; groups below played another
     * @param positions of the catalogue's tasks
     */
    void count(long nextStart, long pass, long firstIndex, Map<String, Integer> positions) {
        CurriculumHead head = state.curriculum;
        long limit = nextStart - settings.openGroupLimit() - head.since;
        int taken = 0;
        while (taken < head.waiting.size() && head.counted < limit) {
            ClosedTry closed = head.waiting.get(taken++);
            head.counted++;
            Integer position =
                    closed.groupIndex() < firstIndex ? null : positions.get(closed.taskId());
            if (position != null) {
                state.rate(position).hear(pass, closed.solved(), closed.graded());
            }
        }
        head.waiting.subList(0, taken).clear();
    }

    /** Weights of a catalogue's tasks in a pass. */
    double[] weights(int firstTask, int tasks, long pass) {
        double[] weights = new double[tasks];
        for (int i = 0; i < tasks; i++) {
            TaskRate rate = state.taskRates.get(firstTask + i);
            weights[i] = weight(rate == null ? 0.5 : rate.estimate(pass));
        }
        return weights;
    }

    /** How likely a group is to be mixed when its attempts succeed with this chance. */
    private double weight(double chance) {
        int attempts = settings.groupSize();
        double alike = StrictMath.pow(chance, attempts) + StrictMath.pow(1 - chance, attempts);
        return Math.max(LEAST, 1 - alike);
    }
}
