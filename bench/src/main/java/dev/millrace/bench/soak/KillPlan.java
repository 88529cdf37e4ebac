package dev.millrace.bench.soak;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Draws kills: kinds in even shares, in random order, spread over the run. */
final class KillPlan {
    private static final int CHECKPOINT_SHARE = 4;
    private static final int EARLY_SHARE = 8;
    private static final int LONGEST_DELAY = 2500;

    private KillPlan() {}

    /** Whether a run of so many steps is long enough. */
    static boolean fits(int kills, long steps) {
        return kills >= 0 && steps >= kills + 4L;
    }

    /**
     * Draws a plan. A quarter of the kills wait for a checkpoint, an eighth do not wait until the
     * kill before them is overcome.
     *
     * @param steps of the run; the last kills leave some of them
     */
    static List<Kill> draw(long seed, int kills, List<KillKind> among, long steps) {
        Random random = new Random(seed);
        List<KillKind> kinds = new ArrayList<>();
        while (kinds.size() < kills) {
            List<KillKind> round = new ArrayList<>(among);
            Collections.shuffle(round, random);
            kinds.addAll(round);
        }
        List<Boolean> duringCheckpoint = marks(kills, CHECKPOINT_SHARE, random);
        List<Boolean> early = marks(kills, EARLY_SHARE, random);
        List<Kill> plan = new ArrayList<>();
        for (int i = 0; i < kills; i++) {
            boolean soon = i > 0 && early.get(i);
            plan.add(
                    new Kill(
                            kinds.get(i),
                            1 + Math.max(0, steps - 3) * i / kills,
                            soon ? random.nextInt(400) : random.nextInt(LONGEST_DELAY),
                            duringCheckpoint.get(i) && !soon,
                            soon,
                            random.nextInt(1 << 16)));
        }
        return plan;
    }

    /** One of {@code share} is marked, rounded up. */
    private static List<Boolean> marks(int count, int share, Random random) {
        List<Boolean> marks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            marks.add(i < (count + share - 1) / share);
        }
        Collections.shuffle(marks, random);
        return marks;
    }
}
