package dev.millrace.udfs.admission;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * Whose turn it is when rollout slots are free: the runs of a job share them by weight, in
 * slot-milliseconds. It gives the turn to a waiting run and keeps no slot empty for one that does
 * not wait.
 *
 * <p>A run that waits earns its share of what all waiting runs use, and pays what it uses itself:
 * the difference is its deficit. A run that does not wait earns and pays nothing and loses what it
 * was owed. What a run holds now counts as if it were held for a while longer, so that a run that
 * is owed much does not take every slot at once. The deficit is bounded: whoever held all slots
 * while it was alone does not pay for it for long.
 *
 * <p>Source of the scheme: M. Shreedhar and G. Varghese, Efficient Fair Queuing Using Deficit Round
 * Robin, SIGCOMM 1995; here what a turn costs is known only afterwards.
 *
 * <p>Runs are numbered from 0. Not thread-safe.
 */
final class SlotShares {
    /** How long an attempt that was just given out is taken to last. */
    private static final double EXPECTED_MILLIS = 120_000;

    /** Most that a run is owed or owes: so long a use of its share. */
    private static final double MOST_MILLIS = 600_000;

    private final double[] weights;
    private final double[] most;
    private final double[] deficits;
    private final int[] held;
    private final boolean[] waiting;
    private long at = Long.MIN_VALUE;
    private int turn;

    /**
     * @param slots all of them
     * @param weights of the runs, above 0
     */
    SlotShares(int slots, double... weights) {
        double total = Arrays.stream(weights).sum();
        this.weights = weights.clone();
        this.most = Arrays.stream(weights).map(w -> w / total * slots * MOST_MILLIS).toArray();
        this.deficits = new double[weights.length];
        this.held = new int[weights.length];
        this.waiting = new boolean[weights.length];
    }

    /** What a run holds from now on, and whether it would take more. */
    void note(int run, int slots, boolean waits) {
        held[run] = slots;
        waiting[run] = waits;
    }

    /** Time goes by, up to a moment; one before the last counts as the last. */
    void pass(long nowMillis) {
        long millis = at == Long.MIN_VALUE ? 0 : Math.max(0, nowMillis - at);
        at = Math.max(at, nowMillis);
        double used = 0;
        double weight = 0;
        for (int run = 0; run < weights.length; run++) {
            if (waiting[run]) {
                used += held[run];
                weight += weights[run];
            }
        }
        for (int run = 0; run < weights.length; run++) {
            double earned = waiting[run] ? weights[run] / weight * used - held[run] : 0;
            double deficit = deficits[run] + millis * earned;
            double bound = waiting[run] ? most[run] : 0;
            deficits[run] = Math.max(-most[run], Math.min(bound, deficit));
        }
    }

    /** The waiting run whose turn it is, -1 when none waits. */
    int next() {
        return next(run -> true);
    }

    /** Of the waiting runs that may have the turn the one whose it is, -1 when there is none. */
    int next(IntPredicate may) {
        int best = -1;
        for (int i = 0; i < weights.length; i++) {
            int run = (turn + i) % weights.length;
            if (waiting[run] && may.test(run) && (best < 0 || rank(run) > rank(best))) {
                best = run;
            }
        }
        if (best >= 0) {
            turn = (best + 1) % weights.length;
        }
        return best;
    }

    private double rank(int run) {
        return (deficits[run] - EXPECTED_MILLIS * held[run]) / weights[run];
    }
}
