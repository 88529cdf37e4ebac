package dev.millrace.bench.sim;

import java.util.List;

/**
 * One line of a fault plan.
 *
 * @param target which calls
 * @param selector which of them: an id such as {@code g3.a1} or {@code s5.m1}, {@code *} for any
 *     part; empty for all
 * @param effect what goes wrong
 * @param status HTTP status, for STATUS
 * @param slowMillis virtual time, for SLOW
 * @param times how often it happens; 0 without end
 * @param lastsMillis virtual time from when the rule is armed; 0 without end
 * @param percent share of the calls, by their id, that it happens to
 */
public record FaultRule(
        FaultTarget target,
        String selector,
        FaultEffect effect,
        int status,
        long slowMillis,
        int times,
        long lastsMillis,
        double percent) {

    /** Whether the rule concerns a call of this id. */
    boolean selects(String id) {
        if (selector.isEmpty()) {
            return true;
        }
        List<String> wanted = List.of(selector.split("\\.", -1));
        List<String> parts = List.of(id.split("\\.", -1));
        if (parts.size() < wanted.size()) {
            return false;
        }
        for (int i = 0; i < wanted.size(); i++) {
            if (!wanted.get(i).equals("*") && !wanted.get(i).equals(parts.get(i))) {
                return false;
            }
        }
        return true;
    }
}
