package dev.millrace.udfs.admission;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import dev.millrace.udfs.model.PolicyRef;
import java.util.TreeSet;

/** An evaluation of one published version over all held-out tasks. */
@JsonAutoDetect(
        fieldVisibility = Visibility.ANY,
        getterVisibility = Visibility.NONE,
        isGetterVisibility = Visibility.NONE)
public final class EvalRound {
    /** Name of the rounds, before their step. */
    static final String PREFIX = "eval-";

    long step;
    PolicyRef policy;
    boolean done;

    /** Positions of groups that were admitted; emptied when done. */
    TreeSet<Integer> admitted = new TreeSet<>();

    /** Positions of groups that were closed; emptied when done. */
    TreeSet<Integer> closed = new TreeSet<>();

    EvalRound() {}

    static EvalRound of(long step, PolicyRef policy) {
        EvalRound round = new EvalRound();
        round.step = step;
        round.policy = policy;
        return round;
    }

    /** Step in a round's name, or -1 when it is no such name. */
    static long stepOf(String name) {
        String digits = name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : "";
        return digits.matches("\\d{1,18}") ? Long.parseLong(digits) : -1;
    }

    String name() {
        return PREFIX + step;
    }

    /** The first position not yet admitted, or {@code total}. */
    int nextPosition(int total) {
        for (int position = 0; position < total; position++) {
            if (!admitted.contains(position) && !closed.contains(position)) {
                return position;
            }
        }
        return total;
    }

    /** Whether this completes it. */
    boolean finishIfComplete(int total) {
        if (done || closed.size() < total) {
            return false;
        }
        done = true;
        admitted.clear();
        closed.clear();
        return true;
    }
}
