package dev.millrace.bench.soak;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

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
        Set<Integer> early = chosen(indices(1, kills), share(kills, EARLY_SHARE), random);
        List<Integer> others = indices(0, kills);
        others.removeAll(early);
        Set<Integer> duringCheckpoint = chosen(others, share(kills, CHECKPOINT_SHARE), random);
        List<Kill> plan = new ArrayList<>();
        for (int i = 0; i < kills; i++) {
            boolean soon = early.contains(i);
            plan.add(
                    new Kill(
                            kinds.get(i),
                            1 + Math.max(0, steps - 3) * i / kills,
                            soon ? random.nextInt(400) : random.nextInt(LONGEST_DELAY),
                            duringCheckpoint.contains(i),
                            soon,
                            random.nextInt(1 << 16)));
        }
        return plan;
    }

    private static int share(int count, int part) {
        return (count + part - 1) / part;
    }

    private static List<Integer> indices(int from, int to) {
        List<Integer> indices = new ArrayList<>();
        for (int i = from; i < to; i++) {
            indices.add(i);
        }
        return indices;
    }

    private static Set<Integer> chosen(List<Integer> among, int count, Random random) {
        List<Integer> shuffled = new ArrayList<>(among);
        Collections.shuffle(shuffled, random);
        return new HashSet<>(shuffled.subList(0, Math.min(count, shuffled.size())));
    }
}
