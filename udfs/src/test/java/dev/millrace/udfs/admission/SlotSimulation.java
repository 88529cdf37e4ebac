package dev.millrace.udfs.admission;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/** Runs that always have work, and attempts whose times have a heavy tail, of up to an hour. */
final class SlotSimulation {
    private static final double TAIL = 5.0 / 3;
    private static final double LONGEST_SECONDS = 3_600;

    private record End(long millis, int run) {}

    private final SlotShares shares;
    private final int slots;
    private final int groupSize;
    private final SplittableRandom random;
    private final PriorityQueue<End> ends =
            new PriorityQueue<>(Comparator.comparingLong(End::millis));
    private final int[] held;
    private final double[] seconds;
    private long now;
    private int open;

    SlotSimulation(int slots, int groupSize, long seed, double... weights) {
        this.shares = new SlotShares(slots, weights);
        this.slots = slots;
        this.groupSize = groupSize;
        this.random = new SplittableRandom(seed);
        this.held = new int[weights.length];
        this.seconds = new double[weights.length];
    }

    /** A run has work from now on, whose attempts take so long on average. */
    void play(int run, double meanSeconds) {
        seconds[run] = meanSeconds;
        shares.note(run, held[run], true);
    }

    /** A run has no more work. */
    void end(int run) {
        seconds[run] = 0;
        shares.note(run, held[run], false);
    }

    /** Goes on for a while; gives what each run used, in slot-milliseconds. */
    double[] go(long millis) {
        double[] used = new double[held.length];
        long until = now + millis;
        admit();
        while (ends.peek() != null && ends.peek().millis() < until) {
            End end = ends.remove();
            pass(end.millis(), used);
            held[end.run()]--;
            open--;
            shares.note(end.run(), held[end.run()], seconds[end.run()] > 0);
            admit();
        }
        pass(until, used);
        return used;
    }

    private void admit() {
        int run = open < slots ? shares.next() : -1;
        while (run >= 0) {
            for (int i = 0; i < groupSize; i++) {
                ends.add(new End(now + attemptMillis(run), run));
            }
            held[run] += groupSize;
            open += groupSize;
            shares.note(run, held[run], true);
            run = open < slots ? shares.next() : -1;
        }
    }

    /** Drawn from Pareto's distribution. */
    private long attemptMillis(int run) {
        double scale = seconds[run] * (TAIL - 1) / TAIL;
        double drawn = scale / Math.pow(1 - random.nextDouble(), 1 / TAIL);
        return Math.round(1_000 * Math.min(LONGEST_SECONDS, drawn));
    }

    private void pass(long to, double[] used) {
        for (int run = 0; run < held.length; run++) {
            used[run] += (double) held[run] * (to - now);
        }
        now = to;
        shares.pass(now);
    }
}
