package dev.millrace.udfs.dataset;

import dev.millrace.udfs.seed.CodePointOrder;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Tasks whose attempts neither all fail nor all succeed: those that there is to learn from. */
public final class MixedSelection {
    /** Name of the rule, for files that say how they came about. */
    public static final String CRITERION = "fully_gradeable_and_0_lt_solved_lt_n_samples";

    private MixedSelection() {}

    /**
     * What a probe found out about a task.
     *
     * @param solved attempts that solved it
     * @param gradeable attempts with a verdict
     * @param total attempts
     */
    public record Tally(int solved, int gradeable, int total) {}

    /** Ids of the mixed tasks, closest to half solved first, then by name. */
    public static List<String> select(Map<String, Tally> tallies, int samples) {
        return tallies.entrySet().stream()
                .filter(entry -> mixed(entry.getValue(), samples))
                .sorted(
                        Comparator.<Map.Entry<String, Tally>>comparingInt(
                                        entry -> Math.abs(2 * entry.getValue().solved() - samples))
                                .thenComparing(Map.Entry.comparingByKey(CodePointOrder.INSTANCE)))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static boolean mixed(Tally tally, int samples) {
        return tally.gradeable() == samples
                && tally.total() == samples
                && tally.solved() > 0
                && tally.solved() < samples;
    }
}
