package dev.millrace.bench.sim;

import dev.millrace.udfs.seed.Seeds;

/**
 * What commands leave behind in a workspace: a digest that depends on each of them and on their
 * order. A command that was run twice, or not at all, is seen in it.
 */
public final class WorkChain {
    static final String EMPTY = "0000000000000000";

    private WorkChain() {}

    static String after(String before, String command) {
        return String.format(
                java.util.Locale.ROOT,
                "%016x",
                Seeds.ofGroup(Long.parseUnsignedLong(before, 16), command));
    }

    /** The command of a turn. */
    public static String command(long attempt, int turn) {
        return "work " + SimTokens.name(attempt) + " " + turn;
    }

    /** Whether a workspace is what the first commands of an attempt leave, each run once. */
    static boolean intact(Workload workload, int task, long attempt, String chain) {
        String expected = EMPTY;
        for (int turn = 0; turn < workload.turns(task, attempt); turn++) {
            if (expected.equals(chain)) {
                return true;
            }
            if (workload.kind(task, attempt, turn) == Workload.Kind.COMMAND) {
                expected = after(expected, command(attempt, turn));
            }
        }
        return expected.equals(chain);
    }
}
