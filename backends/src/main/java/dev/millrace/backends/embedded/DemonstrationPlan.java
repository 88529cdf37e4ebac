package dev.millrace.backends.embedded;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What demonstrators will say. Careful ones list the files, read them, repair and leave. Hasty ones
 * leave one of two things out: half of them repair without having read, which here means with the
 * command of another task; the other half read and leave. Imitating both gives a policy that knows
 * every step but not which steps matter; rewards teach that.
 *
 * @param task index of the task that is demonstrated
 * @param commands to run in that task's sandbox, {@code exit} last
 */
public record DemonstrationPlan(int task, List<String> commands) {
    private static final String LIST = "ls";
    private static final String READ = "cat *";
    private static final String LEAVE = "exit";

    /**
     * Plans demonstrations; tasks take turns.
     *
     * @param repairs for each training task the command that repairs it; at least two
     * @param count how many demonstrations
     * @param hastyShare share of demonstrators that are hasty
     * @param seed of the draw
     */
    public static List<DemonstrationPlan> draw(
            List<String> repairs, int count, double hastyShare, long seed) {
        if (repairs.size() < 2 || !(hastyShare >= 0 && hastyShare <= 1)) {
            throw new IllegalArgumentException(
                    "Demonstrations need two tasks or more and a share of hasty ones from 0 to 1.");
        }
        SplittableRandom random = new SplittableRandom(seed);
        List<DemonstrationPlan> plans = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int task = i % repairs.size();
            String repair = repairs.get(task);
            List<String> commands = List.of(LIST, READ, repair, LEAVE);
            if (random.nextDouble() < hastyShare) {
                int other = (task + 1 + random.nextInt(repairs.size() - 1)) % repairs.size();
                commands =
                        random.nextBoolean()
                                ? List.of(LIST, repairs.get(other), LEAVE)
                                : List.of(LIST, READ, LEAVE);
            }
            plans.add(new DemonstrationPlan(task, commands));
        }
        return List.copyOf(plans);
    }
}
