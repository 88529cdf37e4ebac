package dev.millrace.udfs.admission;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;

/**
 * How often a training task was solved. What was heard during a pass counts from the next one on,
 * so that the order of a pass can be drawn again at any time of it.
 */
@JsonAutoDetect(
        fieldVisibility = Visibility.ANY,
        getterVisibility = Visibility.NONE,
        isGetterVisibility = Visibility.NONE)
public final class TaskRate {
    /** Position of the task among all training tasks. */
    int position;

    /** Solved attempts that count in {@link #pass} and later. */
    int solved;

    /** Graded attempts that count in {@link #pass} and later. */
    int graded;

    /** The pass that the attempts below were heard in; they count in later ones. */
    long pass = -1;

    int laterSolved;
    int laterGraded;

    TaskRate() {}

    static TaskRate at(int position) {
        TaskRate rate = new TaskRate();
        rate.position = position;
        return rate;
    }

    /** Takes attempts that were heard in a pass, which never is an earlier one. */
    void hear(long inPass, int moreSolved, int moreGraded) {
        if (pass < inPass) {
            solved += laterSolved;
            graded += laterGraded;
            laterSolved = 0;
            laterGraded = 0;
            pass = inPass;
        }
        laterSolved += moreSolved;
        laterGraded += moreGraded;
    }

    /** Estimate, for a pass, of the chance to solve it: one success and one failure are assumed. */
    double estimate(long forPass) {
        boolean all = pass < forPass;
        double successes = solved + (all ? laterSolved : 0) + 1.0;
        return successes / (graded + (all ? laterGraded : 0) + 2.0);
    }
}
