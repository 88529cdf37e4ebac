package dev.millrace.bench.soak;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Draws kills: kinds in even shares, in random order, spread over the run. */
final class KillPlan {
    private static final double CHECKPOINT_SHARE = 0.3;
    private static final double EARLY_SHARE = 0.18;
    private static final int LONGEST_DELAY = 1500;
    private static final int LONGEST_EARLY_DELAY = 400;
    private static final int STEPS_AFTER = 3;

    private KillPlan() {}

    /** Whether a run of so many steps is long enough. */
    static boolean fits(int kills, long steps) {
        return kills >= 0 && steps >= kills + STEPS_AFTER + 1L;
    }

    /**
     * Draws a plan. More kills than the shares asked for wait for a checkpoint, and do not wait
     * until the kill before them is overcome: some of them come too late.
     *
     * @param among kinds; exceptions in tasks have the share of one, by turns
     * @param steps of the run; the last kills leave a few of them
     */
    static List<Kill> draw(long seed, int kills, List<KillKind> among, long steps) {
        Random random = new Random(seed);
        List<KillKind> kinds = kinds(kills, among, random);
        Set<Integer> early =
                chosen(
                        kills,
                        EARLY_SHARE,
                        random,
                        i -> i > 0 && disturbs(kinds.get(i), kinds.get(i - 1)));
        Set<Integer> duringCheckpoint =
                chosen(
                        kills,
                        CHECKPOINT_SHARE,
                        random,
                        i -> !early.contains(i) && kinds.get(i).strikesAtOnce());
        List<Kill> plan = new ArrayList<>();
        for (int i = 0; i < kills; i++) {
            boolean soon = early.contains(i);
            plan.add(
                    new Kill(
                            kinds.get(i),
                            1 + Math.max(0, steps - STEPS_AFTER) * i / kills,
                            random.nextInt(soon ? LONGEST_EARLY_DELAY : LONGEST_DELAY),
                            duringCheckpoint.contains(i),
                            soon,
                            random.nextInt(1 << 16)));
        }
        return plan;
    }

    /** In rounds, each with every kind once. */
    private static List<KillKind> kinds(int kills, List<KillKind> among, Random random) {
        List<KillKind> exceptions = among.stream().filter(KillKind::isTaskException).toList();
        List<KillKind> others = among.stream().filter(kind -> !kind.isTaskException()).toList();
        List<KillKind> kinds = new ArrayList<>();
        for (int round = 0; kinds.size() < kills; round++) {
            List<KillKind> each = new ArrayList<>(others);
            if (!exceptions.isEmpty()) {
                each.add(exceptions.get(round % exceptions.size()));
            }
            Collections.shuffle(each, random);
            kinds.addAll(each);
        }
        return List.copyOf(kinds.subList(0, kills));
    }

    /** An old savepoint needs a run that goes on first. */
    private static boolean disturbs(KillKind kind, KillKind before) {
        return before.restartsSomething() && kind != KillKind.OLD_SAVEPOINT;
    }

    private static Set<Integer> chosen(
            int kills, double share, Random random, IntPredicate eligible) {
        List<Integer> among =
                new ArrayList<>(IntStream.range(0, kills).filter(eligible).boxed().toList());
        Collections.shuffle(among, random);
        int count = (int) Math.ceil(share * kills);
        return new HashSet<>(among.subList(0, Math.min(count, among.size())));
    }
}
